import { createHash } from "node:crypto";

/** Deeper values are refused at the edge: they would overflow the stack of whoever walks them. */
const MAX_JSON_DEPTH = 64;

/** One text for one value: keys sorted, no spaces, `undefined` left out as JSON does. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${parts.join(",")}}`;
}

/** SHA-256 of the canonical JSON, in hex. */
export function hashJson(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** Whether the value nests no deeper than `limit`. Walks no further than that. */
export function isShallow(value: unknown, limit = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (limit === 0) return false;
  return Object.values(value).every((item) => isShallow(item, limit - 1));
}
