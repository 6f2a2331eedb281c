import { hash } from "node:crypto";

/** Deeper values are refused at the edge: they would overflow the stack of whoever walks them. */
const MAX_JSON_DEPTH = 64;

/** Needs no escapes in JSON. Short, because looking at a long text costs more than it saves. */
const PLAIN = /^[ !#-[\]-~]{0,100}$/;

/** One text for one value: keys sorted, no spaces, `undefined` left out as JSON does. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  // Put together by hand: every decision and every approval is hashed, and this takes half the time.
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) text += `${text === "" ? "" : ","}${quoted(key)}:${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** SHA-256 of the canonical JSON, in hex. */
export function hashJson(value: unknown): string {
  return hash("sha256", canonicalJson(value), "hex");
}

/** Whether the value nests no deeper than `limit`. Walks no further than that. */
export function isShallow(value: unknown, limit = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit === 0) return false;
  return Object.values(value).every((item) => isShallow(item, limit - 1));
}
