import type { FrontendFrame } from "./frames.ts";

/** What folds over a session's events look at. A frame of seed 000's face is one. */
export type Told = Pick<FrontendFrame, "id" | "seq" | "at" | "type" | "payload" | "session_id" | "blobs">;

/** A field that holds text, in a payload that a newer or a foreign writer may have shaped. */
export function textIn(payload: unknown, ...fields: readonly string[]): string | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  for (const field of fields) {
    const value = Object.hasOwn(payload, field) ? (payload as Record<string, unknown>)[field] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** On one line, no longer than this, and no half of a character. */
export function lineOf(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  const chars = Array.from(line);
  return chars.length <= most ? line : `${chars.slice(0, most - 1).join("")}…`;
}
