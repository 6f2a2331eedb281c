import type { HealthSnapshot } from "@fairlead/contract";
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
import { oneLine, table } from "../text.ts";
import { ago } from "../time.ts";

export function healthCommand(setup: Setup): Command {
  const command = newCommand("health", "Show how a session fares: its score and what it is made of.", [
    "sessions health ses_…",
    "sessions health ses_… --json",
  ]);
  return connectOptions(command).argument("<session>", "its id or alias").action(action(setup, health));
}

async function health(
  context: Context,
  session: string,
  options: ConnectOptions & CommonOptions,
): Promise<void> {
  const { out } = context;
  const found = await withBackend(context, options, {}, (backend) => backend.sessionHealth(session));
  if (out.json) return out.value(found);
  const { score, flags, recovery_hint } = found;
  await out.line(
    `${out.bold(String(score))} of 100  ${bar(score / 100)}  ${flags.join(", ") || "all is well"}`,
  );
  if (recovery_hint) await out.line(oneLine(recovery_hint, 500));
  await list(out, "What it was taken for", partsOf(found));
  await list(out, "Budgets", budgetsOf(found));
  await list(out, "What was done about it", enforcementOf(found));
  await list(
    out,
    "What the model was told",
    (found.memory_provenance ?? []).map((one) => [
      said(one["source"]),
      said(one["subject"]),
      `${said(one["facts"])} facts`,
    ]),
  );
  await list(
    out,
    "On record",
    (found.audit ?? []).map((row) => [ago(String(row["at"])), said(row["kind"]), said(row["summary"])]),
  );
}

const WIDTH = 20;

/** Twenty places, full from the left. */
function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
  return "█".repeat(full) + "░".repeat(WIDTH - full);
}

function partsOf({ score_parts }: HealthSnapshot): string[][] {
  const parts = Object.entries((score_parts ?? {}) as Record<string, unknown>);
  return parts.flatMap(([name, part]) => (Number(part) < 0 ? [[name, said(part)]] : []));
}

function budgetsOf({ budget_pressure, policy }: HealthSnapshot): string[][] {
  const { min_score } = (policy?.health ?? {}) as { min_score?: number };
  const least = min_score === undefined ? [] : [["min_score", "", `${min_score}`]];
  const used = Object.entries(budget_pressure ?? {}).map(([budget, found]) => {
    const { percent = 0, used = 0, limit = 0 } = found as Record<string, unknown>;
    return [budget, bar(Number(percent) / 100), `${said(used)} of ${said(limit)} (${said(percent)} %)`];
  });
  return [...least, ...used];
}

function enforcementOf({ policy }: HealthSnapshot): string[][] {
  const { action: done, outcome, reason } = (policy?.enforcement ?? {}) as Record<string, unknown>;
  return done === undefined ? [] : [[said(done), said(outcome), said(reason)]];
}

function said(value: unknown): string {
  return oneLine(String(value ?? ""), 200);
}

async function list(out: Output, title: string, rows: readonly (readonly string[])[]): Promise<void> {
  if (rows.length > 0) await out.line(`\n${out.bold(title)}\n${table(rows, out.columns)}`);
}
