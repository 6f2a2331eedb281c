import { join } from "node:path";
import type { Command } from "commander";
import {
  type CommonOptions,
  type Context,
  newCommand,
  patientAction,
  placeOptions,
  type Setup,
} from "../command.ts";
import { servedBy } from "../connect.ts";
import { Failure } from "../failure.ts";
import { chosen } from "../harness/choice.ts";
import { parsePort } from "../parse.ts";
import { type Place, type PlaceOptions, placeOf } from "../place.ts";
import type { Running } from "../serve/start.ts";

interface HarnessOptions extends PlaceOptions, CommonOptions {
  readonly unix?: string;
  readonly http?: string;
  readonly ws?: string;
  readonly stdio?: boolean;
  readonly port: number;
  readonly as?: string;
  readonly policies?: string;
  readonly config?: string;
  readonly verbose?: boolean;
}

export function harnessCommand(setup: Setup): Command {
  const command = newCommand("harness", "Supervise agents that speak the Agent Harness Protocol.", [
    "harness",
    "harness --unix /tmp/harness.sock --policies ./policies",
    "harness --http 127.0.0.1:4690 --ws 127.0.0.1:4691",
    "harness --stdio",
  ]);
  return placeOptions(command)
    .option("--unix <path>", "a socket that only you can open (default: harness.sock in the data directory)")
    .option("--http <host:port>", "POST /ahp on an address of its own, with an agent's token")
    .option("--ws <host:port>", "WebSocket on an address of its own, with an agent's token")
    .option("--stdio", "serve the program that started this one, over standard input and output")
    .option("--port <number>", "port of the API, where people decide; 0 takes any free one", parsePort, 0)
    .option("--as <name>", "who speaks on the socket and on stdio (default: local)")
    .option("--policies <dir>", "rules (default: the configured ones, ./policies, or those that come along)")
    .option("--config <file>", "configuration (default: ./fairlead.yaml, where there is one)")
    .option("--verbose", "structured logs on standard error")
    .action(patientAction(setup, harness));
}

async function harness(context: Context, options: HarnessOptions): Promise<void> {
  const place = placeOf(context.host, options, context.host.cwd);
  const server = await servedBy(place);
  if (server !== undefined) {
    if (options.stdio !== true) throw alreadyServed(server.url);
    const { bridgeToServer } = await import("../harness/bridge.ts");
    return bridgeToServer(context, { ...options, url: server.url }, options.as ?? "local");
  }
  const running = await start(context, place, options);
  try {
    if (options.stdio === true) await serveParent(context, running);
    else {
      await greet(context, running);
      await aborted(context.signal);
    }
  } finally {
    await running.stop();
  }
}

async function start(
  { host, out, version }: Context,
  place: Place,
  options: HarnessOptions,
): Promise<Running> {
  const [{ startServer }, { loggerFor }] = await Promise.all([
    import("../serve/start.ts"),
    import("../serve/logger.ts"),
  ]);
  const { unix, http, ws, as, policies, config, stdio } = options;
  const wanted = unix ?? http ?? ws;
  return startServer({
    host,
    place,
    version,
    address: "127.0.0.1",
    port: options.port,
    allowHosts: [],
    secure: false,
    logger: loggerFor(out, options.verbose ?? false, host.env["FAIRLEAD_LOG"]),
    harness: {
      ...chosen({ unix, http, ws, as, policies, config }),
      ...(wanted === undefined && stdio !== true && place.kind === "sqlite"
        ? { defaultSocket: join(place.data, "harness.sock") }
        : {}),
    },
  });
}

/** Standard output belongs to the protocol: not a word of ours may get there. */
async function serveParent({ signal }: Context, { agents }: Running): Promise<void> {
  const { serveParent: serve } = await import("@fairlead/runtime/harness");
  await Promise.race([serve(agents.harness, agents.agent), aborted(signal)]);
}

async function greet({ host, out, version }: Context, { url, agents, data }: Running): Promise<void> {
  const { listening, agent } = agents;
  const { unix, http, websocket } = listening;
  const socket = agents.url.replace(/^http/, "ws");
  if (out.json) {
    const places = { ahp: agents.url, ahp_websocket: socket, unix, http, websocket };
    return out.value({ event: "listening", url, ...places, data, pid: process.pid, version });
  }
  const rows = [
    ...(unix === undefined
      ? []
      : [`Socket     ${unix}   ${out.dim(`no token: whoever can open it is ${agent}`)}`]),
    ...[agents.url, http].filter(Boolean).map((at) => `HTTP       ${at}`),
    ...[socket, websocket].filter(Boolean).map((at) => `WebSocket  ${at}?token=…`),
    `People     ${url}   ${out.dim(`${host.self} approvals`)}`,
  ];
  await out.line(`${out.bold(`Fairlead ${version}`)} supervises agents. Every question and answer is in ${data}

  ${rows.join("\n  ")}

  An agent's token:  ${host.self} token create --role agent --actor my-agent
  Then, from any language, greet and ask before you act:
    POST ${agents.url}  {"jsonrpc":"2.0","id":"1","method":"ahp/handshake","params":{…}}
    POST ${agents.url}  {"jsonrpc":"2.0","id":"2","method":"ahp/event","params":{"event_type":"pre_action",…}}
  docs/harness.md has the whole of it, in Python too.

Ctrl-C stops it.`);
}

function alreadyServed(url: string): Failure {
  return new Failure("usage", `The server at ${url} has this log open, and serves agents at ${url}/ahp.`, {
    hint: "Connect your agent there, with a token of `fairlead token create --role agent --actor NAME`. For a socket, set harness.unix in fairlead.yaml and restart it.",
    exitCode: 1,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
