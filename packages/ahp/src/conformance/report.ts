import type { Requirement } from "./requirement.ts";
import { REQUIREMENTS } from "./requirements.ts";
import type { MutantOutcome } from "./run-mutants.ts";
import type { Outcome } from "./run-server.ts";
import type { TransportName } from "./transports.ts";
import { TRANSPORTS } from "./transports.ts";

export interface Report {
  readonly outcomes: readonly Outcome[];
  readonly mutants: readonly MutantOutcome[];
}

export interface Summary {
  readonly requirements: number;
  readonly passed: number;
  readonly failed: number;
  /** Failed only where we promise more than the documents; counts as failed for our own peers. */
  readonly differs: number;
  readonly skipped: number;
  readonly mutants: number;
  readonly caught: number;
}

/** For a foreign peer, what goes beyond the documents is told and not failed. */
export function summarise({ outcomes, mutants }: Report, isForeign: boolean): Summary {
  const isOurs = (id: string) => isForeign && levelOf(id) === "ours";
  const failed = outcomes.filter(({ status }) => status === "fail");
  return {
    requirements: new Set(outcomes.map(({ id }) => id)).size,
    passed: outcomes.filter(({ status }) => status === "pass").length,
    failed: failed.filter(({ id }) => !isOurs(id)).length,
    differs: failed.filter(({ id }) => isOurs(id)).length,
    skipped: outcomes.filter(({ status }) => status === "skip").length,
    mutants: mutants.length,
    caught: mutants.filter(({ isCaught }) => isCaught).length,
  };
}

export function isGreen({ passed, failed, mutants, caught }: Summary): boolean {
  return failed === 0 && passed > 0 && caught === mutants;
}

/** Every requirement by every transport, then the mutants, then one line that says it all. */
export function formatReport(report: Report, summary: Summary): string {
  const columns = TRANSPORTS.filter((name) => report.outcomes.some(({ transport }) => transport === name));
  const rows = REQUIREMENTS.filter(({ id }) => report.outcomes.some((outcome) => outcome.id === id));
  const width = Math.max(...rows.map(({ id }) => id.length), "requirement".length);
  return [
    `${"requirement".padEnd(width)}  ${columns.join("  ")}  behaviour`,
    ...rows.map((row) => formatRow(row, columns, report.outcomes, width)),
    "",
    ...notesOf(report.outcomes),
    ...report.mutants.map(formatMutant),
    "",
    formatSummary(summary),
  ].join("\n");
}

function formatSummary(summary: Summary): string {
  const { requirements, passed, failed, differs, skipped, mutants, caught } = summary;
  const parts = [
    `${requirements} requirements`,
    `${passed} passed`,
    `${failed} failed`,
    ...(differs > 0 ? [`${differs} differ from ours`] : []),
    `${skipped} skipped`,
    ...(mutants > 0 ? [`${caught} of ${mutants} mutants caught`] : []),
  ];
  return `${isGreen(summary) ? "conformant" : "NOT conformant"}: ${parts.join(", ")}`;
}

const MARKS = { pass: "ok", fail: "FAIL", skip: "skip" } as const;

function formatRow(
  { id, behaviour }: Requirement,
  columns: readonly TransportName[],
  outcomes: readonly Outcome[],
  width: number,
): string {
  const cells = columns.map((name) => {
    const found = outcomes.find((outcome) => outcome.id === id && outcome.transport === name);
    return (found === undefined ? "-" : MARKS[found.status]).padEnd(name.length);
  });
  return `${id.padEnd(width)}  ${cells.join("  ")}  ${behaviour}`;
}

function notesOf(outcomes: readonly Outcome[]): string[] {
  const failures = outcomes.filter(({ status }) => status === "fail");
  const skips = new Map<string, number>();
  for (const { status, note = "" } of outcomes) {
    if (status === "skip") skips.set(note, (skips.get(note) ?? 0) + 1);
  }
  return [
    ...failures.map(({ id, transport, note }) => `FAIL ${id} on ${transport}: ${note}`),
    ...[...skips].map(([note, count]) => `skipped ${count}: ${note}`),
  ];
}

function formatMutant({ id, caughtBy, isCaught }: MutantOutcome): string {
  return `mutant ${id}: ${isCaught ? "caught" : "NOT caught"} by ${caughtBy}`;
}

function levelOf(id: string): Requirement["level"] {
  return REQUIREMENTS.find((requirement) => requirement.id === id)?.level ?? "must";
}
