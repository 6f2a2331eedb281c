import { type SessionRow, type SessionTree, sessionTree } from "@fairlead/contract";
import type { Command } from "commander";
import type { Backend } from "../backend.ts";
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
import { oneLine } from "../text.ts";
import { ago } from "../time.ts";

type TreeOptions = ConnectOptions & CommonOptions;

/** Sessions that are looked through. */
const MOST = 5_000;
const PAGE = 1_000;

export function treeCommand(setup: Setup): Command {
  const command = newCommand("tree", "Show which sessions branched from which.", [
    "sessions tree",
    "sessions tree ses_…",
    "sessions tree --json",
  ]);
  return connectOptions(command)
    .argument("[session]", "only the tree that it is part of: its id or alias")
    .action(action(setup, tree));
}

async function tree(context: Context, session: string | undefined, options: TreeOptions): Promise<void> {
  const { out, host } = context;
  const { rows, more, wanted } = await withBackend(context, options, {}, async (backend) => ({
    wanted: session === undefined ? undefined : await backend.getSession(session),
    ...(await everySession(backend)),
  }));
  const all = sessionTree(wanted === undefined ? rows : withRow(rows, wanted));
  const trees = wanted === undefined ? all : all.filter((one) => has(one, wanted.session_id));
  if (out.json) return out.value({ trees, complete: !more });
  if (trees.length === 0) return out.note(`None yet. Make one: ${host.self} run "What can you do?"`);
  for (const one of trees) for (const line of linesOf(one, "", "", out)) await out.line(line);
  if (more) out.note(`Only the last ${MOST} sessions were looked at.`);
}

async function everySession(
  backend: Backend,
): Promise<{ readonly rows: readonly SessionRow[]; readonly more: boolean }> {
  const rows: SessionRow[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await backend.listSessions({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.rows);
    if (page.cursor === null) return { rows, more: false };
    if (rows.length >= MOST) return { rows, more: true };
    cursor = page.cursor;
  }
}

function withRow(rows: readonly SessionRow[], wanted: SessionRow): readonly SessionRow[] {
  return rows.some(({ session_id }) => session_id === wanted.session_id) ? rows : [...rows, wanted];
}

function has({ row, branches }: SessionTree, session_id: string): boolean {
  return row.session_id === session_id || branches.some((one) => has(one, session_id));
}

function linesOf({ row, branches }: SessionTree, head: string, rest: string, out: Output): string[] {
  const at = row.state?.branch_resume_cursor ?? "";
  const about = [
    row.status,
    ago(row.updated_at),
    at === "" ? "" : `from ${at}`,
    oneLine(row.title ?? "", 60),
  ];
  const line = `${out.dim(head)}${row.session_id}  ${about.filter((part) => part !== "").join("  ")}`;
  return [
    line,
    ...branches.flatMap((one, i) =>
      i === branches.length - 1
        ? linesOf(one, `${rest}└─ `, `${rest}   `, out)
        : linesOf(one, `${rest}├─ `, `${rest}│  `, out),
    ),
  ];
}
