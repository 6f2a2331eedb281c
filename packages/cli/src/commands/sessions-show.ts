import type { ChatSessionDetail } from "@fairlead/contract";
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
import { parseLimit } from "../parse.ts";
import { oneLine, table } from "../text.ts";
import { ago } from "../time.ts";

interface ShowOptions extends ConnectOptions, CommonOptions {
  readonly limit?: number;
}

export function showSessionCommand(setup: Setup): Command {
  const command = newCommand("show", "Show where a session stands, and the places to branch from.", [
    "sessions show ses_…",
    "sessions show ses_… --limit 50 --json",
  ]);
  return connectOptions(command)
    .argument("<session>", "its id or alias")
    .option("--limit <number>", "how many of each list at most, the last ones", parseLimit, 20)
    .action(action(setup, show));
}

async function show(context: Context, session: string, options: ShowOptions): Promise<void> {
  const { out, host } = context;
  const detail = await withBackend(context, options, {}, (backend) =>
    backend.sessionDetail(session, options.limit),
  );
  if (out.json) return out.value(detail);
  const facts = factsOf(detail);
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) await out.line(`${out.dim(name.padEnd(width))}  ${value}`);
  const { resume_points, subagents, background_artifacts } = detail;
  await list(
    out,
    "Places to branch from",
    resume_points.map((one) => [one.resume_cursor, ago(one.at), oneLine(one.label, 120)]),
  );
  await list(
    out,
    "Delegated work",
    subagents.map((one) => [
      oneLine(one.agent_id, 60),
      oneLine(one.status, 30),
      oneLine(one.task ?? "", 120),
    ]),
  );
  await list(
    out,
    "Artifacts",
    background_artifacts.map((one) => [
      oneLine(one.artifact_id, 60),
      oneLine(one.kind ?? "-", 30),
      oneLine(one.artifact.summary ?? one.artifact.path ?? "", 120),
    ]),
  );
  if (resume_points.length > 0)
    out.note(
      `\nBranch: \`${host.self} sessions branch ${detail.session_id} --cursor ${resume_points.at(-1)?.resume_cursor}\``,
    );
}

async function list(out: Output, title: string, rows: readonly (readonly string[])[]): Promise<void> {
  if (rows.length === 0) return;
  await out.line(`\n${out.bold(title)}\n${table(rows, out.columns)}`);
}

/** Of background work: how often it was tried, and may be tried again. */
function attemptsOf({ kind, state }: ChatSessionDetail): string | null {
  if (kind !== "background") return null;
  return `${state?.attempt_count ?? 0}, and ${state?.max_retries ?? 0} retries at most`;
}

function factsOf(detail: ChatSessionDetail): [string, string][] {
  const { state } = detail;
  const sandbox = [state?.sandbox_mode, state?.sandbox_isolation].filter(Boolean).join(", ");
  const all: [string, string | null | undefined][] = [
    ["id", detail.session_id],
    ["title", detail.title],
    ["kind", detail.kind],
    ["status", detail.status],
    ["open turn", detail.turn_id],
    ["project", detail.project],
    ["model", state?.model],
    ["modes", [state?.permission_mode, state?.approval_mode].filter(Boolean).join(", ")],
    ["thinking", state?.think_level],
    ["sandbox", sandbox],
    ["engine", state?.engine],
    ["attempts", attemptsOf(detail)],
    ["expires", state?.expires_at],
    ["last error", state?.last_error],
    ["workspace", state?.workspace],
    ["branched from", detail.parent_session_id],
    ["at", state?.branch_resume_cursor],
    ["events", String(detail.head_seq)],
    ["changed", ago(detail.updated_at)],
  ];
  return all.flatMap(([name, value]) => (value ? [[name, oneLine(value, 2_000)]] : []));
}
