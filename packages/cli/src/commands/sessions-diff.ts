import type { ComparedSide, SessionComparison } from "@fairlead/contract";
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
import type { Output } from "../output.ts";
import { oneLine, printable, table } from "../text.ts";

interface DiffOptions extends ConnectOptions, CommonOptions {
  readonly patch?: boolean;
}

type ChangedFile = NonNullable<ComparedSide["files"]>[number];

export function diffCommand(setup: Setup): Command {
  const command = newCommand("diff", "Compare two sessions: what each did since the place that both share.", [
    "sessions diff ses_… ses_…",
    "sessions diff ses_… ses_… --patch",
    "sessions diff ses_… ses_… --json",
  ]);
  return connectOptions(command)
    .argument("<a>", "a session's id or alias")
    .argument("<b>", "another's")
    .option("--patch", "also show what leads from the files of the first to those of the second")
    .action(action(setup, diff));
}

async function diff(context: Context, a: string, b: string, options: DiffOptions): Promise<void> {
  const { out } = context;
  const found = await withBackend(context, options, {}, (backend) => backend.compareSessions(a, b));
  if (out.json) return out.value(found);
  const { ancestor } = found;
  await out.line(
    ancestor === null
      ? "They share no history."
      : `They share ${ancestor.session_id} up to event ${ancestor.seq}${ancestor.type === null ? "" : ` (${ancestor.type})`}.`,
  );
  await out.line(`\n${table(factsOf(found), out.columns)}`);
  for (const side of [found.a, found.b]) await turns(out, side);
  await files(out, found, options.patch === true);
}

function factsOf({ a, b }: SessionComparison): string[][] {
  const row = (name: string, of: (side: ComparedSide) => string) => [name, of(a), of(b)];
  return [
    row("", (side) => side.session_id),
    row("title", (side) => oneLine(side.title ?? "-", 40)),
    row("status", (side) => side.status),
    row("model", (side) => side.model ?? "-"),
    row("events", (side) => `${side.events}${side.truncated ? "+" : ""}`),
    row("turns", (side) => counted(side.turns.map(({ outcome }) => outcome))),
    row("tools", (side) => toolsOf(side)),
    row("questions", ({ questions: { asked, approved, denied } }) =>
      asked + approved + denied === 0 ? "-" : `${asked} asked, ${approved} approved, ${denied} denied`,
    ),
    row("tokens", (side) => String(side.total_tokens)),
    row("cost", (side) =>
      side.priced || side.total_tokens === 0 ? `$${side.cost_usd.toFixed(4)}` : "price not known",
    ),
    row("files", (side) => (side.files === null ? "-" : `${side.files.length} changed`)),
  ];
}

function counted(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts.size === 0 ? "-" : [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}

function toolsOf({ tools }: ComparedSide): string {
  const all = Object.entries(tools).map(([name, ends]) => {
    const total = Object.values(ends).reduce((sum, count) => sum + count, 0);
    const bad = total - (ends["ok"] ?? 0) - (ends["artifact"] ?? 0);
    return `${total} ${oneLine(name, 30)}${bad === 0 ? "" : ` (${bad} not ok)`}`;
  });
  return all.length === 0 ? "-" : all.join(", ");
}

async function turns(out: Output, side: ComparedSide): Promise<void> {
  if (side.turns.length === 0) return;
  await out.line(`\n${out.bold(side.session_id)}`);
  const rows = side.turns.map(({ outcome, input, result }) => [
    outcome,
    oneLine(input, 60),
    oneLine(result ?? "", 120),
  ]);
  await out.line(table(rows, out.columns));
}

async function files(out: Output, found: SessionComparison, patch: boolean): Promise<void> {
  const { files: between, files_note } = found;
  if (between === null) return out.note(`\nFiles are not compared. ${files_note ?? ""}`.trimEnd());
  await out.line(`\n${out.bold("Files, from the first to the second")}`);
  if (between.changed.length === 0) return out.line("The same in both.");
  await out.line(table(between.changed.map(rowOf), out.columns));
  if (patch) await out.line(`\n${printable(between.diff)}`);
  if (between.truncated) out.note("There is more than is shown.");
  if (!patch) out.note("See the lines: --patch");
}

function rowOf({ status, added, removed, path }: ChangedFile): string[] {
  return [status, added === null ? "binary" : `+${added} -${removed ?? 0}`, oneLine(path, 200)];
}
