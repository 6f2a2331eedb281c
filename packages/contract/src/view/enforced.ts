import { add, base, type Draft, find, replace, settle } from "./draft.ts";
import type { EnforcedEntry } from "./entries.ts";
import type { FrontendFrame } from "../frames.ts";

/** A limit that was reached, and what the session comes to with the call that it is about to make. */
export interface Crossing {
  readonly budget: string;
  readonly limit: number;
  readonly value: number;
  /** Without that call, where that makes a difference. */
  readonly used: number | null;
}

/** Who enforces budgets: the subject of the decision, and the origin of the question where one is asked. */
export const HEALTH_SUBJECT = "health_policy";
export const HEALTH_ORIGIN = "health";

/** Who wants a session to wait: a person by name, or what it is held to. */
export function wishedBy(actor: string): string {
  return actor === HEALTH_ORIGIN ? "its policy" : actor;
}

/** Whatever looks like limits that were reached. */
export function crossingsOf(details: unknown): readonly Crossing[] {
  const { crossed } = (details ?? {}) as { readonly crossed?: unknown };
  if (!Array.isArray(crossed)) return [];
  return crossed.flatMap((one: unknown) => {
    const { budget, limit, value, used } = (one ?? {}) as Partial<Crossing>;
    const known = typeof budget === "string" && typeof limit === "number" && typeof value === "number";
    return known ? [{ budget, limit, value, used: typeof used === "number" ? used : null }] : [];
  });
}

/** One row for what was done, with what can be done about it until somebody has. */
export function held(
  draft: Draft,
  frame: FrontendFrame,
  said: Pick<EnforcedEntry, "action" | "reason" | "crossed">,
): void {
  settle(draft);
  add(draft, { ...base(frame), tier: "default", kind: "enforced", ...said, over: false });
  draft.held = frame.id;
}

/** It goes on: nothing is to be done about it any more. */
export function letGo(draft: Draft): void {
  const entry = draft.held === null ? undefined : find(draft, "enforced", draft.held);
  if (entry !== undefined) replace(draft, { ...entry, over: true });
  draft.held = null;
}
