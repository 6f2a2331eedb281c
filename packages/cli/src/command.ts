import { Command, Option } from "commander";
import type { Backend } from "./backend.ts";
import { type ConnectOptions, connect, type Needs } from "./connect.ts";
import type { Host } from "./host.ts";
import { onInterrupt } from "./interrupt.ts";
import { createOutput, type Output } from "./output.ts";

/** What a command works with beside its own arguments. */
export interface Context {
  readonly host: Host;
  readonly out: Output;
  /** Aborts when the person at the terminal has had enough. */
  readonly signal: AbortSignal;
  readonly version: string;
}

export interface CommonOptions {
  readonly json?: boolean;
}

/** Ends with this exit code; undefined means 0. */
type Action<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<number | void>;

export interface Setup {
  readonly host: Host;
  readonly version: string;
  /** Told how the command ended. */
  readonly ended: (code: number) => void;
}

/** A command with what all commands have: `--json`, examples, and a clean end on Ctrl-C. */
export function newCommand(name: string, summary: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(summary)
    .option("--json", "print JSON, and errors as {code, message, hint} on standard error")
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ fairlead ${line}`).join("\n")}`);
}

/** Options that say which log is meant. */
export function placeOptions(command: Command): Command {
  return command
    .option("--data <dir>", "data directory (default: ./.fairlead, or FAIRLEAD_DATA)")
    .option("--store <url>", "PostgreSQL instead: postgres://… (or FAIRLEAD_STORE)");
}

/** And which server, for commands that can speak to one. */
export function connectOptions(command: Command): Command {
  return placeOptions(command)
    .option("--url <url>", "a server elsewhere (or FAIRLEAD_URL)")
    .addOption(new Option("--token <secret>", "its credential (or FAIRLEAD_TOKEN)"));
}

/** Runs the action with a context of its own and gives the signals back afterwards. */
export function action<Args extends unknown[]>(
  setup: Setup,
  run: Action<Args>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const options = args.at(-2) as CommonOptions;
    const out = createOutput(
      { stdout: process.stdout, stderr: process.stderr, env: setup.host.env },
      options.json === true,
    );
    const interrupt = onInterrupt();
    try {
      const context = { host: setup.host, version: setup.version, out, signal: interrupt.signal };
      setup.ended((await run(context, ...args)) ?? 0);
    } catch (error) {
      out.error(error);
      setup.ended((error as { exitCode?: number }).exitCode ?? 1);
    } finally {
      interrupt.release();
    }
  };
}

/** The same, connected. What was opened is closed, however the command ends. */
export async function withBackend<T>(
  context: Context,
  options: ConnectOptions,
  needs: Needs,
  use: (backend: Backend) => Promise<T>,
): Promise<T> {
  const backend = await connect(context.host, options, needs);
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}
