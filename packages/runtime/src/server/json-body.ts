import { badRequest } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];

/** Whether the JSON in these bytes nests deeper than `most`. Counts brackets outside of strings. */
function nestsDeeper(bytes: Uint8Array, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPEN.includes(byte)) {
      if (++depth > most) return true;
    } else if (CLOSE.includes(byte)) depth--;
  }
  return false;
}

/**
 * Strict where a lenient parser would change meaning: bytes that are no UTF-8, nesting that
 * overflows a stack later, and keys that reach for a prototype are refused, not repaired.
 */
export function parseJsonBody(bytes: Uint8Array, maxDepth: number): unknown {
  if (bytes.length === 0) return undefined;
  if (nestsDeeper(bytes, maxDepth)) throw badRequest("body", `Nested deeper than ${maxDepth}.`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    throw badRequest("body", "Not UTF-8.", error);
  }
  try {
    return text.includes("__proto__") || text.includes("\\u")
      ? JSON.parse(text, refuseProto)
      : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest("body", "Not JSON.", error);
    throw error;
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === "__proto__") throw badRequest("body", "`__proto__` is not taken as a key.");
  return value;
}
