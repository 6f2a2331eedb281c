import type { QuestionRow } from "@fairlead/contract";
import type { Command } from "commander";
import type { QuestionDecision } from "../backend.ts";
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
import { oneLine } from "../text.ts";

interface DecideOptions extends ConnectOptions, CommonOptions {
  readonly note?: string;
  readonly edit?: string;
}

export function approveCommand(setup: Setup): Command {
  const command = newCommand("approve", "Say yes to what waits for a decision.", [
    "approve apr_…",
    `approve apr_… --edit '{"command":"git push"}'`,
  ]);
  return connectOptions(command)
    .argument("<id>", "as `fairlead approvals` shows it")
    .option("--note <text>", "for whoever reads the log")
    .option("--edit <json>", "what to do instead of what was asked")
    .action(
      action(setup, (context, id: string, options: DecideOptions) =>
        decide(context, id, options, approval(options)),
      ),
    );
}

export function denyCommand(setup: Setup): Command {
  const command = newCommand("deny", "Say no to what waits for a decision.", [
    "deny apr_…",
    'deny apr_… --note "Not on a Friday."',
  ]);
  return connectOptions(command)
    .argument("<id>", "as `fairlead approvals` shows it")
    .option("--note <text>", "the agent is told this")
    .action(
      action(setup, (context, id: string, options: DecideOptions) =>
        decide(context, id, options, { decision: "denied" }),
      ),
    );
}

function approval({ edit }: DecideOptions): QuestionDecision {
  if (edit === undefined) return { decision: "approved" };
  try {
    return { decision: "edited", edited: JSON.parse(edit) as unknown };
  } catch (error) {
    throw new Failure("usage", `--edit is not JSON: ${(error as Error).message}`);
  }
}

async function decide(
  context: Context,
  id: string,
  options: DecideOptions,
  decision: QuestionDecision,
): Promise<void> {
  const { out } = context;
  const said = options.note === undefined ? decision : { ...decision, note: options.note };
  const row = await withBackend(context, options, {}, (backend) => backend.decideQuestion(id, said));
  if (out.json) return out.value(row);
  await out.line(told(row));
}

function told({ request_id, state, tool_name, reason }: QuestionRow): string {
  return `${request_id} is ${state}: ${oneLine(`${tool_name}: ${reason}`, 200)}`;
}
