import type { HealthState } from "./state.ts";

const MOST_ROWS = 20;
const MOST_SOURCES = 20;
const SUMMARY_CHARS = 200;

/** One more row for whoever looks back; the oldest gives way. */
export function audited(state: HealthState, at: number, kind: string, summary: string, ref?: string): void {
  const row = {
    at: new Date(at).toISOString(),
    kind,
    summary: cut(summary),
    ...(ref === undefined ? {} : { ref }),
  };
  state.audit = [...state.audit, row].slice(-MOST_ROWS);
}

/** The model was told so many facts by this source. */
export function told(state: HealthState, source: string, subject: string, facts: number, at: number): void {
  const place = state.provenance.findIndex((one) => one.source === source && one.subject === cut(subject));
  const known = state.provenance[place];
  const now = {
    source,
    subject: cut(subject),
    facts: (known?.facts ?? 0) + facts,
    at: new Date(at).toISOString(),
  };
  // In its old place: that it was said again is no other source.
  state.provenance =
    known === undefined ? [...state.provenance, now].slice(-MOST_SOURCES) : state.provenance.with(place, now);
}

function cut(text: string): string {
  const chars = Array.from(text);
  return chars.length > SUMMARY_CHARS ? `${chars.slice(0, SUMMARY_CHARS - 1).join("")}…` : text;
}
