import { SESSION_STATUSES, type SessionStatus } from "@fairlead/contract";
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
import { branchCommand } from "./sessions-branch.ts";
import { diffCommand } from "./sessions-diff.ts";
import {
  acceptCommand,
  cancelWorkCommand,
  pauseCommand,
  policyCommand,
  resumeCommand,
} from "./sessions-control.ts";
import { followCommand } from "./sessions-follow.ts";
import { healthCommand } from "./sessions-health.ts";
import { offerCommand } from "./sessions-offer.ts";
import { showSessionCommand } from "./sessions-show.ts";
import { treeCommand } from "./sessions-tree.ts";
import { startCommand } from "./sessions-start.ts";

interface SessionsOptions extends ConnectOptions, CommonOptions {
  readonly status?: SessionStatus;
  readonly kind?: string;
  readonly subagents?: boolean;
  readonly project?: string;
  readonly limit?: number;
}

export function sessionsCommand(setup: Setup): Command {
  const command = newCommand("sessions", "List sessions, the last changed first.", [
    "sessions",
    "sessions --status running --json",
    "sessions --kind background --project house",
    'sessions start "Bring the changelog up to date."',
    "sessions show ses_…",
    "sessions health ses_…",
    "sessions branch ses_… --cursor turn:ses_…:14",
    "sessions tree",
    "sessions diff ses_… ses_…",
    "sessions offer ses_…",
  ]);
  return (
    connectOptions(command)
      .addOption(new Option("--status <status>", "only these").choices(SESSION_STATUSES))
      .option("--kind <kind>", "only these: chat, background, supervised, subagent")
      .option("--subagents", "also those of sub-agents")
      .option("--project <name>", "only those of this project")
      .option("--limit <number>", "how many at most", parseLimit, 20)
      .action(action(setup, sessions))
      .addCommand(startCommand(setup))
      .addCommand(followCommand(setup))
      .addCommand(pauseCommand(setup))
      .addCommand(resumeCommand(setup))
      .addCommand(cancelWorkCommand(setup))
      .addCommand(acceptCommand(setup))
      .addCommand(policyCommand(setup))
      .addCommand(showSessionCommand(setup))
      .addCommand(healthCommand(setup))
      .addCommand(branchCommand(setup))
      .addCommand(treeCommand(setup))
      .addCommand(diffCommand(setup))
      .addCommand(offerCommand(setup))
      // Else its options would be taken from its own commands.
      .enablePositionalOptions()
  );
}

async function sessions(context: Context, options: SessionsOptions): Promise<void> {
  const { out } = context;
  const { status, kind, project, limit } = options;
  const include = options.subagents === true ? "subagents" : undefined;
  const page = await withBackend(context, options, {}, (backend) =>
    backend.listSessions({ status, kind, project, limit, include }),
  );
  if (out.json) return out.value(page);
  if (page.rows.length === 0)
    return out.note(`None yet. Make one: ${context.host.self} run "What can you do?"`);
  const rows = page.rows.map((row) => [
    row.session_id,
    row.status,
    ago(row.updated_at),
    `${row.head_seq} events`,
    oneLine(row.title ?? "", 80),
  ]);
  await out.line(table(rows, out.columns));
  if (page.cursor !== null) out.note(`… and more: --limit ${(limit ?? 20) * 5}`);
}
