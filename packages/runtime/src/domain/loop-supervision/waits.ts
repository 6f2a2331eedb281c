import type { AskPerson, WaitFor } from "./effects.ts";

/** Shorter would be a busy loop; longer is no date any more. */
const SHORTEST_MS = 100;
const LONGEST_MS = 7 * 24 * 3_600_000;

export function waits(ms: number, reason: string | undefined, by: string): WaitFor {
  const bounded = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms));
  return { kind: "wait", ms: bounded, reason: said(reason) ?? `${by} asks to wait.` };
}

export function asks(reason: string | undefined, target: string | undefined, by: string): AskPerson {
  const to = said(target) === undefined ? "" : ` (for ${target})`;
  return { kind: "ask", reason: `${said(reason) ?? `Asked for by ${by}.`}${to}` };
}

function said(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
