import type { HealthSnapshot } from "@fairlead/contract";
import type { Summary } from "@fairlead/contract/view";
import { localTimes } from "../lib/page-words.ts";
import type { Detail } from "../panels/detail.ts";

/** The newer of what the log last said of it and what the server said when it was asked. */
export function healthOf({ health }: Summary, detail: Detail | null): HealthSnapshot | null {
  const asked = detail?.session.health ?? null;
  if (health === null || asked === null) return health ?? asked;
  return health.seq > (detail?.session.head_seq ?? 0) ? health : asked;
}

/** What the score is made of: 100, less each of these. */
export function scoreParts(health: HealthSnapshot): readonly (readonly [name: string, points: number])[] {
  const parts = (health as { readonly score_parts?: unknown }).score_parts;
  if (typeof parts !== "object" || parts === null) return [];
  return Object.entries(parts).filter(
    (part): part is [string, number] => typeof part[1] === "number" && part[1] !== 0,
  );
}

/** What the page calls what a hint names. */
const NAMES: Readonly<Record<string, string>> = {
  "GET /approvals": "it waits in the timeline",
  "POST /sessions/{id}/resume": "Resume",
  "POST /sessions/{id}/accept": "Accept",
  "PATCH /sessions/{id}/policy": "Limits and modes",
  last_error: "The last error, under Details,",
};

/** A hint for who looks at this page, and not for a program. What the page has no name for is not named. */
export function hintInWords(hint: string): string {
  // Ids are for programs; what sub-agents ask stands right under this line.
  return hint.replaceAll(/ \(apr_\w+\)/g, "").replaceAll(/`([^`]+)`/g, (_, name: string) => {
    if (name.startsWith("GET /approvals?")) return "it is right below";
    const known = NAMES[name.split("?")[0] ?? name];
    return known ?? (/^[A-Z]+ \//.test(name) ? "the server" : name.replaceAll("_", " "));
  });
}

export function hintOf({ recovery_hint }: HealthSnapshot, print: (at: string) => string): string | null {
  if (recovery_hint === null || recovery_hint === undefined || recovery_hint === "") return null;
  return localTimes(hintInWords(recovery_hint), print);
}
