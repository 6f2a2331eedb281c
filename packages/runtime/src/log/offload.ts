import { createHash } from "node:crypto";
import type { BlobRef } from "@fairlead/contract";

/** Data whose JSON is larger than this is not kept in the log itself. */
export const INLINE_LIMIT = 32 * 1024;
const PREVIEW_CHARS = 1024;
const MIN_PART = 2 * 1024;

export interface Blob {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface Offloaded {
  readonly dataJson: string;
  readonly refs: Readonly<Record<string, BlobRef>>;
  readonly blobs: readonly Blob[];
}

interface Part {
  readonly pointer: string;
  readonly size: number;
  readonly replace: (value: unknown) => void;
  readonly value: unknown;
}

/**
 * Moves the largest parts of the data to blobs until the rest fits. The shape stays: a long text
 * keeps its beginning, an array or object becomes empty, and `refs` says by JSON Pointer where the
 * whole is. A blob of a text holds its UTF-8; of anything else, its JSON.
 */
export function offload(dataJson: string): Offloaded {
  const root = { data: JSON.parse(dataJson) as unknown };
  const refs: Record<string, BlobRef> = {};
  const blobs: Blob[] = [];
  let size = dataJson.length;
  while (size > INLINE_LIMIT) {
    const part = pick(parts(root.data, "", (value) => (root.data = value)));
    if (part === undefined) break;
    const bytes = Buffer.from(typeof part.value === "string" ? part.value : JSON.stringify(part.value));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    blobs.push({ sha256, bytes });
    refs[part.pointer] = { sha256, bytes: bytes.length };
    part.replace(stub(part.value));
    size = JSON.stringify(root.data).length;
  }
  return { dataJson: JSON.stringify(root.data), refs, blobs };
}

function stub(value: unknown): unknown {
  if (typeof value === "string") return whole(value.slice(0, PREVIEW_CHARS));
  return Array.isArray(value) ? [] : {};
}

/** Cuts no surrogate pair in half: the text must stay valid UTF-8. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** The largest text if one is worth moving, else the outermost large container below the root, else the root. */
function pick(found: readonly Part[]): Part | undefined {
  const worth = found.filter((part) => part.size > MIN_PART);
  const largest = (some: readonly Part[]) => some.toSorted((a, b) => b.size - a.size)[0];
  return (
    largest(worth.filter((part) => typeof part.value === "string")) ??
    largest(worth.filter((part) => part.pointer !== "")) ??
    worth[0]
  );
}

function parts(value: unknown, pointer: string, replace: (value: unknown) => void): Part[] {
  if (typeof value === "string")
    return value.length > PREVIEW_CHARS ? [{ pointer, size: value.length, replace, value }] : [];
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    parts(item, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, (next) => {
      (value as Record<string, unknown>)[key] = next;
    }),
  );
  return [{ pointer, size: JSON.stringify(value).length, replace, value }, ...inner];
}
