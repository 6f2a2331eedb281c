import { type Json, records, text, worded } from "./json.ts";

/** One thing that was checked: how it went, and what shows it. */
export interface CheckInWords {
  readonly subject: string;
  readonly status: string;
  readonly message: string | null;
  readonly evidence: readonly string[];
}

const NAMED = ["subject", "name", "title", "command", "id"];

export function checksInWords(checks: unknown): readonly CheckInWords[] {
  return records(checks).map((check) => ({
    subject: NAMED.map((name) => text(check[name])).find((name) => name !== null) ?? "A check without a name",
    status: text(check["status"]) ?? "not said",
    message: text(check["message"]) ?? text(check["summary"]),
    evidence: evidenceOf(check["evidence"]),
  }));
}

function evidenceOf(evidence: unknown): readonly string[] {
  if (typeof evidence === "string") return evidence === "" ? [] : [evidence];
  return records(evidence).flatMap((one: Json) => {
    const said = [text(one["kind"]), text(one["summary"])].filter((part) => part !== null);
    return said.length === 0
      ? []
      : [said.map((part, index) => (index === 0 ? worded(part) : part)).join(" ")];
  });
}

/** Whether a checkpoint of the end says that a person took it as it is. */
export function isAccepted(summary: string): boolean {
  return summary.startsWith("Accepted by ");
}

/** The same on one line. */
export function checkLine({ subject, status, message, evidence }: CheckInWords): string {
  const shown = evidence.length === 0 ? "" : ` Shown by ${evidence.join(", ")}.`;
  return `${subject}: ${worded(status)}.${message === null ? "" : ` ${message}`}${shown}`;
}

/** What is still open beside the checks that say so themselves. */
export function openRisks(risks: readonly string[], checks: readonly CheckInWords[]): readonly string[] {
  return risks.filter((risk) => !checks.some(({ subject }) => risk === `Not proven: ${subject}`));
}
