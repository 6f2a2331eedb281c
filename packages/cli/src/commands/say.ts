import type { Command } from "commander";
import {
  action,
  type CommonOptions,
  connectOptions,
  type Context,
  newCommand,
  type Setup,
  withBackend,
} from "../command.ts";
import type { ConnectOptions } from "../connect.ts";
import { Failure } from "../failure.ts";

type SayOptions = ConnectOptions & CommonOptions;

export function steerCommand(setup: Setup): Command {
  return sayCommand(setup, "steer", "Say something to the open turn, which hears it with its next step.");
}

export function queueCommand(setup: Setup): Command {
  return sayCommand(setup, "queue", "Say something for after the open turn.");
}

function sayCommand(setup: Setup, mode: "queue" | "steer", about: string): Command {
  const command = newCommand(mode, about, [`${mode} ses_… "Look at the tests first."`]);
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .argument("<text...>", "what to say")
    .action(
      action(
        setup,
        async (context: Context, session: string, words: readonly string[], options: SayOptions) => {
          const text = words.join(" ");
          if (text.trim() === "") throw new Failure("usage", "There is nothing to say.");
          const said = await withBackend(context, options, { runs: true }, (backend) =>
            backend.say(session, mode, text),
          );
          if (context.out.json) return context.out.value(said);
          context.out.note(
            mode === "steer" ? "It hears it with its next step." : "It follows the open turn.",
          );
        },
      ),
    );
}

export function cancelCommand(setup: Setup): Command {
  const command = newCommand(
    "cancel",
    "Stop the open turn of a session, with its tools and their processes.",
    ["cancel ses_…"],
  );
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .option("--reason <text>", "for whoever reads the log")
    .action(
      action(
        setup,
        async (context: Context, session: string, options: SayOptions & { readonly reason?: string }) => {
          const ended = await withBackend(context, options, { runs: true }, (backend) =>
            backend.cancelTurn(session, options.reason ?? "cancelled at the terminal"),
          );
          if (context.out.json) return context.out.value(ended);
          await context.out.line(`${ended.turn_id} is cancelled, on record.`);
        },
      ),
    );
}
