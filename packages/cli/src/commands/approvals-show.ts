import type { QuestionRow } from "@fairlead/contract";
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
import { optionsOf } from "../question-answer.ts";
import { oneLine, printable } from "../text.ts";
import { ago } from "../time.ts";

export function showCommand(setup: Setup): Command {
  const command = newCommand("show", "Show all of what is asked.", ["approvals show apr_…"]);
  return connectOptions(command)
    .argument("<id>", "as `fairlead approvals` shows it")
    .action(action(setup, show));
}

async function show(context: Context, id: string, options: ConnectOptions & CommonOptions): Promise<void> {
  const { out, host } = context;
  const row = await withBackend(context, options, {}, (backend) => backend.getQuestion(id));
  if (out.json) return out.value(row);
  const width = Math.max(...facts(row).map(([name]) => name.length));
  for (const [name, value] of facts(row)) await out.line(`${out.dim(name.padEnd(width))}  ${value}`);
  const { diff, rest } = parts(row.shown);
  if (rest !== undefined) await out.line(`\n${printable(JSON.stringify(rest, null, 2))}`);
  if (diff !== undefined) await out.line(`\n${printable(diff)}`);
  const answers = optionsOf(row.shown);
  if (row.state === "pending" && answers.length > 0)
    out.note(
      `\n${answers.map(({ outcome }) => `${host.self} approve ${row.request_id} --answer ${outcome}`).join("\n")}`,
    );
  else if (row.state === "pending")
    out.note(
      `\n\`${host.self} approve ${row.request_id}\`, or \`${host.self} deny ${row.request_id} --note WHY\``,
    );
}

function facts(row: QuestionRow): [string, string][] {
  const { scope, grant_id, decided_at, actor } = row;
  const all: [string, string | null | undefined][] = [
    ["id", row.request_id],
    ["session", row.session_id],
    ["tool", row.tool_name],
    ["reason", row.reason],
    ["asked", `${ago(row.asked_at)}${row.asked_by === null ? "" : ` by ${row.asked_by}`}`],
    ["because of", row.origin],
    ["risk", row.risk],
    ["expires", row.expires_at],
    ["pattern", row.pattern],
    ["state", decided_at === null ? row.state : `${row.state} by ${actor}, ${ago(decided_at)}`],
    ["note", row.note],
    ["scope", scope?.pattern === undefined ? scope?.kind : `${scope.kind} (${grant_id}): ${scope.pattern}`],
  ];
  return all.flatMap(([name, value]) => (value == null ? [] : [[name, oneLine(value, 2_000)]]));
}

/** A diff is read in lines, the rest as JSON. */
function parts(shown: unknown): { readonly diff?: string; readonly rest?: unknown } {
  if (shown === null || shown === undefined) return {};
  if (typeof shown !== "object" || !("diff" in shown) || typeof shown.diff !== "string")
    return { rest: shown };
  const { diff, ...rest } = shown;
  return { diff: diff as string, rest };
}
