import { hash } from "node:crypto";

/** Deeper values are refused at the edge: they would overflow the stack of whoever walks them. */
const MAX_JSON_DEPTH = 64;

/** Needs no escapes in JSON. Short, because looking at a long text costs more than it saves. */
const PLAIN = /^[ !#-[\]-~]{0,100}$/;

const MANY_KEYS = 24;

/** One text for one value: keys sorted, no spaces, `undefined` left out as JSON does. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  // Put together by hand: every decision and every approval is hashed, and this takes half the time.
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item ?? null)}`;
    return `[${text}]`;
  }
  for (const key of sorted(Object.keys(value))) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) text += `${text === "" ? "" : ","}${quoted(key)}:${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

/** By insertion: most objects have a handful of keys, many of them in order, and the general way costs more to begin. */
function sorted(keys: string[]): string[] {
  if (keys.length > MANY_KEYS) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let at = i;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** SHA-256 of the canonical JSON, in hex. */
export function hashJson(value: unknown): string {
  return hashText(canonicalJson(value));
}

export function hashText(text: string): string {
  return hash("sha256", text, "hex");
}

/** Whether the value nests no deeper than `limit`. Walks no further than that. */
export function isShallow(value: unknown, limit = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit === 0) return false;
  for (const item of Object.values(value))
    if (typeof item === "object" && !isShallow(item, limit - 1)) return false;
  return true;
}
