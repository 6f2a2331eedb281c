import type { HealthSnapshot } from "@fairlead/contract";

interface Pressure {
  readonly used: number;
  readonly limit: number;
  readonly percent: number;
}

/**
 * The later of two snapshots, with no less time than the earlier one said. Time that was worked only grows; but an end is
 * as old as its commit took, and the clocks of two processes differ, so that it can seem to have been less.
 */
export function noEarlier(before: HealthSnapshot | undefined, now: HealthSnapshot): HealthSnapshot {
  const usage = { ...(now.usage as object), runtime_minutes: Math.max(minutesOf(before), minutesOf(now)) };
  const minutes = pressureOf(now);
  if (minutes === undefined) return { ...now, usage };
  const used = Math.max(pressureOf(before)?.used ?? 0, minutes.used);
  const percent = Math.max(minutes.percent, Math.min(1_000, Math.round((used / minutes.limit) * 100)));
  const max_runtime_minutes = { ...minutes, used, percent };
  return { ...now, usage, budget_pressure: { ...now.budget_pressure, max_runtime_minutes } };
}

function minutesOf(snapshot: HealthSnapshot | undefined): number {
  return (snapshot?.usage as { readonly runtime_minutes?: number } | undefined)?.runtime_minutes ?? 0;
}

function pressureOf(snapshot: HealthSnapshot | undefined): Pressure | undefined {
  return snapshot?.budget_pressure?.["max_runtime_minutes"] as Pressure | undefined;
}
