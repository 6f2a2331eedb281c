import { GRANT_STATES, type GrantRow, type GrantState, isId } from "@fairlead/contract";
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
import { Failure } from "../failure.ts";
import { parseLimit } from "../parse.ts";
import { oneLine, table } from "../text.ts";
import { ago } from "../time.ts";

interface PatternsOptions extends ConnectOptions, CommonOptions {
  readonly state: GrantState | "all";
  readonly session?: string;
  readonly limit?: number;
}

interface RevokeOptions extends ConnectOptions, CommonOptions {
  readonly reason?: string;
}

export function patternsCommand(setup: Setup): Command {
  const command = newCommand(
    "patterns",
    "List what runs without asking, because someone approved it for later.",
    ["approvals patterns", "approvals patterns --state all --json"],
  );
  return connectOptions(command)
    .addOption(
      new Option("--state <state>", "what became of them")
        .choices([...GRANT_STATES, "all"])
        .default("active"),
    )
    .option("--session <id>", "only of this session")
    .option("--limit <number>", "how many at most", parseLimit, 50)
    .action(action(setup, patterns));
}

async function patterns(context: Context, options: PatternsOptions): Promise<void> {
  const { out } = context;
  const { state, session, limit } = options;
  const query = { state: state === "all" ? undefined : state, session_id: session, limit };
  const page = await withBackend(context, options, {}, (backend) => backend.listGrants(query));
  if (out.json) return out.value(page);
  if (page.rows.length === 0)
    return out.note(state === "active" ? "Nothing was approved for later." : "None.");
  await out.line(table(page.rows.map(cells), out.columns));
  for (const { grant_id, risk } of page.rows) if (risk !== null) out.note(`${grant_id}: ${risk}`);
}

function cells(row: GrantRow): string[] {
  const until = row.expires_at === null ? `its ${row.scope}` : `until ${row.expires_at.slice(0, 16)}Z`;
  return [
    row.grant_id,
    row.state,
    row.scope,
    until,
    `${oneLine(row.actor, 40)}, ${ago(row.created_at)}`,
    oneLine(row.origin ?? "-", 60),
    oneLine(row.pattern, 200),
  ];
}

export function revokeCommand(setup: Setup): Command {
  const command = newCommand(
    "revoke",
    "Take back what was approved for later. The next such call is asked about.",
    ["approvals revoke gnt_…", 'approvals revoke gnt_… --reason "The branch is merged."'],
  );
  return connectOptions(command)
    .argument("<id>", "as `fairlead approvals patterns` shows it")
    .option("--reason <text>", "for whoever reads the log")
    .action(action(setup, revoke));
}

async function revoke(context: Context, id: string, options: RevokeOptions): Promise<void> {
  const { out } = context;
  if (!isId("grant", id))
    throw new Failure("usage", "That is not an id that `fairlead approvals patterns` shows.");
  const row = await withBackend(context, options, {}, (backend) => backend.revokeGrant(id, options.reason));
  if (out.json) return out.value(row);
  await out.line(`${row.grant_id} is revoked: ${oneLine(row.pattern, 200)}`);
}
