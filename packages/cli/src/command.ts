import { Command, Option } from "commander";
import type { Backend } from "./backend.ts";
import { type ConnectOptions, connect, type Needs } from "./connect.ts";
import type { Host } from "./host.ts";
import { onInterrupt } from "./interrupt.ts";
import { createOutput, type Io, type Output } from "./output.ts";

/** What a command works with beside its own arguments. */
export interface Context {
  readonly host: Host;
  readonly out: Output;
  /** Aborts when the person at the terminal has had enough; only in a patient action. */
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
  readonly io: Io;
  readonly version: string;
  /** Told how the command ended. */
  readonly ended: (code: number) => void;
}

/** A command with what all commands have: `--json` and examples. */
export function newCommand(name: string, summary: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(summary)
    .option("--json", "print JSON, and errors as {code, message, hint} on standard error")
    .addHelpText("after", ({ command }) => {
      const self = rootName(command);
      return `\nExamples:\n${examples.map((line) => `  $ ${exampleLine(self, line)}`).join("\n")}`;
    });
}

/** How this program is called: with it, a command can be copied from its help. */
function rootName(command: Command): string {
  return command.parent === null ? command.name() : rootName(command.parent);
}

/** In a pipe the program is named where it stands, else it comes first. */
function exampleLine(self: string, line: string): string {
  return line.includes("| fairlead ") ? line.replace("| fairlead ", `| ${self} `) : `${self} ${line}`;
}

/** Where a command says what it takes. */
export function helpHint(command: Command): string {
  const names: string[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name());
  return `See \`${names.join(" ")} --help\`.`;
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

/** Runs the action with a context of its own. Ctrl-C ends the process at once, as a command that only looks can afford. */
export function action<Args extends unknown[]>(
  setup: Setup,
  run: Action<Args>,
): (...args: Args) => Promise<void> {
  return (...args) => perform(setup, args, new AbortController().signal, run);
}

/** The same for what has something to finish first: Ctrl-C aborts its signal, and only a second one ends it at once. */
export function patientAction<Args extends unknown[]>(
  setup: Setup,
  run: Action<Args>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    const interrupt = onInterrupt();
    await perform(setup, args, interrupt.signal, run).finally(interrupt.release);
  };
}

async function perform<Args extends unknown[]>(
  setup: Setup,
  args: Args,
  signal: AbortSignal,
  run: Action<Args>,
): Promise<void> {
  const { host, version, io } = setup;
  const options = args.at(-2) as CommonOptions;
  const out = createOutput(io, host.env, options.json === true, host.self);
  // What the runtime waits for keeps no process alive; a command under way does.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    setup.ended((await run({ host, version, out, signal }, ...args)) ?? 0);
  } catch (error) {
    out.error(error, helpHint(args.at(-1) as Command));
    setup.ended((error as { exitCode?: number }).exitCode ?? 1);
  } finally {
    clearInterval(alive);
  }
}

/** The same, connected. What was opened is closed, however the command ends. */
export async function withBackend<T>(
  context: Context,
  options: ConnectOptions,
  needs: Needs,
  use: (backend: Backend) => Promise<T>,
): Promise<T> {
  const backend = await connect(context.host, options, { ...needs, waiting: context.out.note });
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}
