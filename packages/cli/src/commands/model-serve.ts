import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type * as Loaded from "@fairlead/runtime/model-server";
import type { ModelServer, Script } from "@fairlead/runtime/model-server";
import type { Command } from "commander";
import { type CommonOptions, type Context, newCommand, patientAction, type Setup } from "../command.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { parsePort } from "../parse.ts";

interface ServeModelOptions extends CommonOptions {
  readonly host: string;
  readonly port: number;
  readonly script?: string;
}

export function serveModelCommand(setup: Setup): Command {
  return newCommand("serve", "Serve the scripted model as the APIs of OpenAI, Anthropic and Google.", [
    "model serve",
    "model serve --port 4690 --script answers.json",
    "model serve --port 0 --json",
  ])
    .option("--host <address>", "address to listen on; it asks nobody for a key", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes any free one", parsePort, 4690)
    .option("--script <file>", "what it says: JSON (default: FAIRLEAD_SCRIPT, else the demo)")
    .action(patientAction(setup, serve));
}

async function serve({ host, out, signal }: Context, options: ServeModelOptions): Promise<void> {
  // Only now: other commands need not wait for it to load.
  const runtime = await import("@fairlead/runtime/model-server");
  const script = readScript(runtime, host, options.script);
  const server = await listen(runtime, script, options);
  const { url } = server;
  if (out.json) await out.value({ event: "listening", url, pid: process.pid });
  else await out.line(greeting(url));
  await new Promise<void>((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
  await server.close();
  if (out.json) await out.value({ event: "stopped" });
}

type Runtime = typeof Loaded;

function readScript(
  { demoScript, parseScript }: Runtime,
  { cwd, env, self }: Host,
  given: string | undefined,
): Script {
  const file = given ?? env["FAIRLEAD_SCRIPT"];
  if (file === undefined || file === "") return demoScript(self);
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new Failure("usage", `Cannot read the script: ${(cause as Error).message}`, { cause });
  }
  return parseScript(text, file);
}

async function listen(
  { serveModel }: Runtime,
  script: Script,
  { host, port }: ServeModelOptions,
): Promise<ModelServer> {
  try {
    return await serveModel({ script, host, port });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Failure("port_in_use", `Port ${port} of ${host} is taken.`, { cause });
    throw new Failure("cannot_listen", message, { cause });
  }
}

function greeting(url: string): string {
  return `The scripted model answers at ${url}, whatever the key and the name of the model.

  OpenAI      OPENAI_BASE_URL=${url}/v1
  Anthropic   ANTHROPIC_BASE_URL=${url}
  Google      ${url}/v1beta

Ctrl-C stops it.`;
}
