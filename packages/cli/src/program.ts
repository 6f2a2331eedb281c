import { Command, CommanderError } from "commander";
import { helpHint, type Setup } from "./command.ts";
import { approvalsCommand } from "./commands/approvals.ts";
import { chatCommand } from "./commands/chat.ts";
import { approveCommand, denyCommand } from "./commands/decide.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { harnessCommand } from "./commands/harness.ts";
import { hooksCommand } from "./commands/hooks.ts";
import { linkCommand } from "./commands/link.ts";
import { modelCommand } from "./commands/model.ts";
import { modelsCommand } from "./commands/models.ts";
import { policyCommand } from "./commands/policy.ts";
import { runCommand } from "./commands/run.ts";
import { cancelCommand, queueCommand, steerCommand } from "./commands/say.ts";
import { serveCommand } from "./commands/serve.ts";
import { sessionsCommand } from "./commands/sessions.ts";
import { tailCommand } from "./commands/tail.ts";
import { tokenCommand } from "./commands/token.ts";
import { verifyCommand } from "./commands/verify.ts";
import { Failure, inWordsOf } from "./failure.ts";
import type { Host } from "./host.ts";
import { createOutput, type Io } from "./output.ts";

const COMMANDS = [
  serveCommand,
  harnessCommand,
  chatCommand,
  runCommand,
  steerCommand,
  queueCommand,
  cancelCommand,
  tailCommand,
  sessionsCommand,
  approvalsCommand,
  approveCommand,
  denyCommand,
  verifyCommand,
  policyCommand,
  hooksCommand,
  modelsCommand,
  modelCommand,
  tokenCommand,
  linkCommand,
  doctorCommand,
];

export interface ProgramOptions {
  readonly host: Host;
  readonly version: string;
  readonly io: Io;
}

/** Parses the arguments and runs the command they name. Resolves to the exit code. */
export async function runProgram(
  args: readonly string[],
  { host, version, io }: ProgramOptions,
): Promise<number> {
  let code = 0;
  let complaint = "";
  let complaining: Command | undefined;
  const setup: Setup = { host, version, io, ended: (ended) => (code = ended) };
  const program = new Command(host.self)
    .description("A self-hosted runtime for AI agents: one durable log, served live and resumable.")
    .version(version, "-V, --version")
    .helpCommand(true)
    // A command that does something by itself and has commands of its own takes no options that follow theirs.
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      `
Beside a running server the commands speak to it; without one they read the store.

Examples:
  $ ${host.self} serve
  $ ${host.self} run "What can you do?"
  $ ${host.self} tail all`,
    );
  for (const make of COMMANDS) program.addCommand(make(setup));
  // Settings are not inherited by commands that were made apart from the program.
  everyCommand(program, (command) =>
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(inWordsOf(host.self, text)),
      writeErr: (text) => void io.stderr.write(inWordsOf(host.self, text)),
      outputError(text) {
        complaint += text;
        complaining = command;
      },
    }),
  );
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === "commander.help") return args.length === 0 ? 2 : 0;
    const message = (complaint || error.message)
      .replace(/^error: /, "")
      .trim()
      .replaceAll(/\s*\n\s*/g, " ");
    const out = createOutput(io, host.env, args.includes("--json"), host.self);
    out.error(new Failure("usage", message), helpHint(complaining ?? program));
    return 2;
  }
}

function everyCommand(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) everyCommand(child, change);
}
