import { QUESTION_STATES, type QuestionRow, type QuestionState } from "@fairlead/contract";
import { type Command, Option } from "commander";
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
import { parseLimit } from "../parse.ts";
import { oneLine, table } from "../text.ts";
import { ago } from "../time.ts";
import { patternsCommand, revokeCommand } from "./approvals-patterns.ts";
import { showCommand } from "./approvals-show.ts";

interface ApprovalsOptions extends ConnectOptions, CommonOptions {
  readonly state: QuestionState | "all";
  readonly session?: string;
  readonly limit?: number;
}

export function approvalsCommand(setup: Setup): Command {
  const command = newCommand(
    "approvals",
    "List what waits for a decision, and what was approved for later.",
    ["approvals", "approvals --state all --session ses_…", "approvals show apr_…", "approvals patterns"],
  );
  return (
    connectOptions(command)
      .addOption(
        new Option("--state <state>", "what became of them")
          .choices([...QUESTION_STATES, "all"])
          .default("pending"),
      )
      .option("--session <id>", "only of this session")
      .option("--limit <number>", "how many at most", parseLimit, 50)
      .action(action(setup, approvals))
      .addCommand(showCommand(setup))
      .addCommand(patternsCommand(setup))
      .addCommand(revokeCommand(setup))
      // Else its options would be taken from its own commands.
      .enablePositionalOptions()
  );
}

async function approvals(context: Context, options: ApprovalsOptions): Promise<void> {
  const { out } = context;
  const { state, session, limit } = options;
  const query = { state: state === "all" ? undefined : state, session_id: session, limit };
  const page = await withBackend(context, options, {}, (backend) => backend.listQuestions(query));
  if (out.json) return out.value(page);
  if (page.rows.length === 0)
    return out.note(state === "pending" ? "Nothing waits for a decision." : "None.");
  await out.line(questionTable(page.rows, out.columns));
}

/** One row for each: what, how dangerous, since when, and why. */
export function questionTable(questions: readonly QuestionRow[], columns: number): string {
  const rows = questions.map((row) => [
    row.request_id,
    row.state,
    row.risk ?? "-",
    ago(row.asked_at),
    row.session_id,
    oneLine(`${row.tool_name}: ${row.reason}`, 200),
  ]);
  return table(rows, columns);
}
