import { resolve } from "node:path";
import { FairleadError } from "@fairlead/contract";
import { looseDirectory } from "@fairlead/runtime/local";
import { InvalidArgumentError, type Command } from "commander";
import {
  type CommonOptions,
  type Context,
  newCommand,
  patientAction,
  placeOptions,
  type Setup,
} from "../command.ts";
import { Failure } from "../failure.ts";
import { chosen } from "../harness/choice.ts";
import type { Host } from "../host.ts";
import { parsePort } from "../parse.ts";
import { type Place, type PlaceOptions, placeOf } from "../place.ts";
import type { Running } from "../serve/start.ts";

interface ServeOptions extends PlaceOptions, CommonOptions {
  readonly host: string;
  readonly port: number;
  readonly allowHost?: readonly string[];
  readonly secure?: boolean;
  readonly maxBody?: number;
  readonly verbose?: boolean;
  readonly config?: string;
  readonly policies?: string;
  readonly drain: number;
}

export function serveCommand(setup: Setup): Command {
  const command = newCommand("serve", "Start the server.", [
    "serve",
    "serve --port 4700 --data ~/agents",
    "serve --store postgres://fairlead@db.example/fairlead",
    "serve --host 0.0.0.0 --allow-host agents.example",
  ]);
  return placeOptions(command)
    .option(
      "--host <address>",
      "address to listen on; beyond loopback there must be a token first",
      "127.0.0.1",
    )
    .option("--port <number>", "port to listen on; 0 takes any free one", parsePort, 4680)
    .option("--allow-host <name>", "another name that it answers to, may be repeated", collect)
    .option("--secure", "it is reached by https, through a proxy that ends TLS")
    .option("--max-body <bytes>", "largest request body", parseBytes)
    .option("--config <file>", "configuration (default: ./fairlead.yaml, where there is one)")
    .option("--policies <dir>", "rules for the agents that speak at /ahp (default: those that come along)")
    .option(
      "--drain <seconds>",
      "after SIGTERM: how long what runs may take to be handed over",
      parseSeconds,
      20,
    )
    .option("--verbose", "structured logs on standard error (or FAIRLEAD_LOG=debug|info|warn|error)")
    .action(patientAction(setup, serve));
}

async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { host, out, signal, version } = context;
  const place = placeOf(host, options, host.cwd);
  const [{ startServer }, { loggerFor }, { openCockpit }] = await Promise.all([
    import("../serve/start.ts"),
    import("../serve/logger.ts"),
    import("../serve/cockpit.ts"),
  ]);
  const cockpit = await openCockpit((text) => out.note(text));
  const starting = startServer({
    host,
    place,
    version,
    linkCommand: `${host.self} link${whereOption(host, place, `http://${options.host}:${options.port}`)}`,
    address: options.host,
    port: options.port,
    allowHosts: options.allowHost ?? [],
    secure: options.secure ?? false,
    ...(cockpit === undefined ? {} : { cockpit }),
    ...(options.maxBody === undefined ? {} : { bodyBytes: options.maxBody }),
    logger: loggerFor(out, options.verbose ?? false, host.env["FAIRLEAD_LOG"]),
    harness: chosen({ config: options.config, policies: options.policies }),
  });
  const running = await starting.catch((error: unknown) => {
    throw withTokenFirst(error, host, place, options);
  });
  const loose = place.kind === "sqlite" ? looseDirectory(place.data) : undefined;
  if (loose !== undefined) out.note(`${loose.problem} ${loose.mend}`);
  await greet(context, place, running);
  await aborted(signal);
  // Who stops a service waits for it; who presses Ctrl-C does not.
  if (signal.reason === "SIGTERM") {
    out.note(
      `Draining: others go on with what runs here, within ${options.drain} s. SIGTERM again ends it at once.`,
    );
    await running.drain(options.drain * 1_000);
  }
  out.note("Stopping: what is under way is finished or recorded. Ctrl-C again ends it at once.");
  await running.stop();
  if (out.json) await out.value({ event: "stopped" });
  else await out.line("Stopped. Everything acknowledged is in the log.");
}

async function greet({ host, out, version }: Context, place: Place, running: Running): Promise<void> {
  const { url, signIn, data } = running;
  if (out.json) {
    const { url: sign_in, expires_at: sign_in_expires_at } = signIn;
    return out.value({
      event: "listening",
      url,
      sign_in,
      sign_in_expires_at,
      data,
      pid: process.pid,
      version,
    });
  }
  const where = whereOption(host, place, url);
  const until = new Date(signIn.expires_at).toTimeString().slice(0, 5);
  // Browsers that do not look for names under localhost on their own machine.
  const elsewhere =
    signIn.url === signIn.browser_url
      ? ""
      : out.dim(`\n            if the browser does not find it: ${signIn.url}`);
  await out.line(`${out.bold(`Fairlead ${version}`)} answers at ${out.bold(url)}

  Sign in   ${signIn.browser_url}
            ${out.dim(`works once, until ${until}; a new one: ${host.self} link${where}`)}${elsewhere}
  Data      ${data}

  Try next, in a second terminal here:
    ${host.self} run "What can you do?"${where}
    ${host.self} tail all${where}
    ${host.self} verify${where}

Ctrl-C stops it.`);
}

/** Without a token nobody can be told from anybody: says how to make one in this very place. */
function withTokenFirst(error: unknown, host: Host, place: Place, { store }: PlaceOptions): unknown {
  if (!(error instanceof FairleadError && error.code === "token_required")) return error;
  const where = place.kind === "sqlite" ? dataOption(host, place.data) : storeOption(store);
  const hint = `Make one first: \`${host.self} token create --role operator --actor NAME${where}\`.`;
  return new Failure("token_required", error.message, { hint, cause: error });
}

/** As it was given, but for the password: screens are looked at, and logs are kept. */
function storeOption(store: string | undefined): string {
  if (store === undefined) return "";
  const url = new URL(store);
  if (url.password !== "") url.password = "PASSWORD";
  return ` --store ${quoted(url.href)}`;
}

/** What a command in another terminal must be told to find this server. */
function whereOption(host: Host, place: Place, url: string): string {
  return place.kind === "postgres" ? ` --url ${url}` : dataOption(host, place.data);
}

function dataOption({ cwd }: Host, data: string): string {
  return data === resolve(cwd, ".fairlead") ? "" : ` --data ${quoted(data)}`;
}

function quoted(text: string): string {
  return /^[\w./~:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function parseBytes(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("A number of bytes.");
  return Number(text);
}

function parseSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("A number of seconds.");
  return Number(text);
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
