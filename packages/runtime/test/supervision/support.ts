import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlockingType } from "@fairlead/ahp";
import type { NewEvent, SessionId } from "@fairlead/contract";
import { onTestFinished } from "vitest";
import { CIRCUIT_LIMITS, type CircuitLimits } from "../../src/domain/supervision/circuit.ts";
import { budgetSpent, type Guard } from "../../src/domain/supervision/guards.ts";
import type { Switches } from "../../src/domain/supervision/switches.ts";
import { count, newTally, type Tally } from "../../src/domain/supervision/tally.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemIds } from "../../src/host/ids.ts";
import { systemTimers } from "../../src/host/timers.ts";
import type { Supervisor } from "../../src/ports/supervisor.ts";
import { type ExternalDeps, guardSupervisor } from "../../src/services/supervision/external.ts";
import type { SupervisionLimits } from "../../src/services/supervision/limits.ts";
import type { OwnJudgement, OwnRun } from "../../src/services/supervision/own-types.ts";
import { createOwnSupervision } from "../../src/services/supervision/own.ts";
import type { Rules } from "../../src/services/supervision/rules.ts";
import { rulesOf } from "../harness/support.ts";

export interface OwnOptions {
  readonly rules?: string | Rules;
  readonly guards?: readonly Guard[];
  readonly supervisors?: readonly Supervisor[];
  readonly budget?: SupervisionLimits["budget"];
  readonly switches?: Switches;
  readonly circuit?: CircuitLimits;
  readonly dropped?: ExternalDeps["dropped"];
}

/** Supervision of a run of our own, with real time. */
export function own(options: OwnOptions = {}) {
  const { rules = "rules: []", guards = [budgetSpent], budget = {}, circuit = CIRCUIT_LIMITS } = options;
  const deps = { clock: systemClock, timers: systemTimers, limits: circuit };
  const externals = (options.supervisors ?? []).map((one) =>
    guardSupervisor(one, { ...deps, ...(options.dropped === undefined ? {} : { dropped: options.dropped }) }),
  );
  onTestFinished(async () => {
    for (const external of externals) await external.close();
  });
  const system: NewEvent[] = [];
  const supervision = createOwnSupervision({
    rules: typeof rules === "string" ? rulesOf(rules) : rules,
    guards,
    externals,
    clock: systemClock,
    ids: systemIds(systemClock),
    limits: { budget },
    tellSystem: (events) => void system.push(...events),
    ...(options.switches === undefined ? {} : { switches: options.switches }),
  });
  const run: OwnRun = {
    session_id: "ses_own" as SessionId,
    agent_id: "fairlead",
    depth: 1,
    workspace: "/srv/project",
    tally: newTally(),
  };
  const durable: NewEvent[] = [];
  return {
    supervision,
    externals,
    run,
    system,
    /** What was made durable before an answer counted. */
    durable,
    judge: async (type: BlockingType, payload: unknown): Promise<OwnJudgement> =>
      supervision.judge(run, type, payload, async (records) => void durable.push(...records)),
  };
}

export function call(name: string, args: Record<string, unknown> = {}, tool_call_id = `call_${name}`) {
  return { tool_name: name, arguments: args, tool_call_id };
}

/** The data of the records of one type. */
export function dataOf(records: readonly NewEvent[], type: string): Record<string, unknown>[] {
  return records.filter((one) => one.type === type).map((one) => one.data as Record<string, unknown>);
}

export function counted(tally: Tally, ...events: readonly NewEvent[]): Tally {
  for (const event of events) count(tally, event, 0);
  return tally;
}

export const started = (tool_call_id: string, name = "shell"): NewEvent => ({
  type: "agent.tool.start",
  data: { name, arguments: {}, tool_call_id },
});

export const ended = (tool_call_id: string, status: "ok" | "error" | "denied" | "timeout"): NewEvent => ({
  type: "agent.tool.outcome",
  data: { tool_call_id, tool_name: "shell", outcome_type: "x", status, elapsed_ms: 1 },
});

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "fairlead-supervision-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Waits for what happens by itself. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
