import type { Command } from "commander";
import {
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  patientAction,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { type SessionOptions, sessionOptions, settingsOf } from "../session-options.ts";
import { placeOf } from "../place.ts";

interface ChatOptions extends ConnectOptions, CommonOptions, SessionOptions {
  readonly session?: string;
}

export function chatCommand(setup: Setup): Command {
  const command = newCommand("chat", "Talk with an agent in the terminal: watch, steer, decide, go back.", [
    "chat",
    "chat --session ses_…",
    "chat --model openai/gpt-5.4-mini --permission-mode plan",
    "echo 'What is in this folder?' | fairlead chat --approval-mode never",
  ]);
  return sessionOptions(connectOptions(command))
    .option("--session <id>", "go on in this session, by its id or alias")
    .addHelpText(
      "after",
      `
In a pipe each line is a turn and the answers are plain text. It ends with 0 when all turns were completed,
1 when one failed, 3 when one waits for a decision (it goes on once there is one), 130 when interrupted.`,
    )
    .action(patientAction(setup, chat));
}

async function chat(context: Context, options: ChatOptions): Promise<number | void> {
  const { host, out, signal, version } = context;
  const { stdin, stdout } = process;
  const { session } = options;
  const settings = settingsOf(options);
  const screen = stdin.isTTY && stdout.isTTY && host.env["TERM"] !== "dumb" && !out.json;
  return withBackend(context, options, { creates: true, runs: true }, async (backend) => {
    if (!screen) {
      const { runLines } = await import("../chat/run-lines.ts");
      return runLines({ context, backend, session, settings, stdin, asks: stdin.isTTY && !out.json });
    }
    const { runTerminal } = await import("../chat/run-terminal.ts");
    const { config } = placeOf(host, options);
    const colour = (host.env["NO_COLOR"] ?? "") === "";
    await runTerminal({ host, backend, version, config, session, settings, colour, signal, stdin, stdout });
  });
}
