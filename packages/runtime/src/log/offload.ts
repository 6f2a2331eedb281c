import { createHash, hash } from "node:crypto";
import type { BlobRef } from "@fairlead/contract";

/** Data whose JSON has more bytes than this is not kept in the log itself. */
export const INLINE_LIMIT = 32 * 1024;
const PREVIEW_CHARS = 1024;
const MIN_PART = 2 * 1024;
/** Beyond this many, whole containers move: a thousand small blobs help nobody. */
const MAX_PARTS = 16;

export interface Blob {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface Offloaded {
  readonly dataJson: string;
  readonly refs: Readonly<Record<string, BlobRef>>;
  readonly blobs: readonly Blob[];
}

/** One value that could move, with the bytes of JSON it takes. */
interface Part {
  readonly pointer: string;
  readonly value: unknown;
  readonly size: number;
  readonly inside: readonly Part[];
  readonly replace: (value: unknown) => void;
}

export function isLarge(json: string): boolean {
  // A character is at most three bytes of UTF-8, so most texts need not be measured.
  return (
    json.length > INLINE_LIMIT || (json.length * 3 > INLINE_LIMIT && Buffer.byteLength(json) > INLINE_LIMIT)
  );
}

export function isBlob(bytes: Uint8Array, sha256: string): boolean {
  return createHash("sha256").update(bytes).digest("hex") === sha256;
}

/**
 * Moves the largest parts of the data to blobs until the rest fits. The shape stays: a long text
 * keeps its beginning, an array or object becomes empty, and `refs` says by JSON Pointer where the
 * whole is. A blob of a text holds its UTF-8; of anything else, its JSON. Parts never overlap.
 */
export function offload(dataJson: string): Offloaded {
  const root = { data: JSON.parse(dataJson) as unknown };
  const tree = measure(root.data, "", (value) => (root.data = value));
  const refs: Record<string, BlobRef> = {};
  const blobs: Blob[] = [];
  for (const part of choose(tree)) {
    const text = typeof part.value === "string" ? part.value : JSON.stringify(part.value);
    const bytes = Buffer.from(text);
    const sha256 = hash("sha256", bytes, "hex");
    blobs.push({ sha256, bytes });
    refs[part.pointer] = { sha256, bytes: bytes.length };
    part.replace(stub(part.value));
  }
  return { dataJson: JSON.stringify(root.data), refs, blobs };
}

/** Long texts first, the longest first. Where they are too many or not enough, containers, from the outside in. */
function choose(tree: Part): readonly Part[] {
  const texts = longTexts(tree).toSorted((a, b) => b.size - a.size);
  const moved: Part[] = [];
  let left = tree.size;
  for (const text of texts.slice(0, MAX_PARTS)) {
    if (left <= INLINE_LIMIT) return moved;
    moved.push(text);
    left -= text.size - stubSize(text);
  }
  return left <= INLINE_LIMIT ? moved : containers(tree);
}

function longTexts(part: Part): readonly Part[] {
  if (typeof part.value === "string") return part.size > MIN_PART ? [part] : [];
  return part.inside.flatMap(longTexts);
}

/** The largest members of the outermost container, until the rest fits; when they are all small, the container itself. */
function containers(tree: Part): readonly Part[] {
  const moved: Part[] = [];
  let left = tree.size;
  for (const part of tree.inside.toSorted((a, b) => b.size - a.size).slice(0, MAX_PARTS)) {
    if (left <= INLINE_LIMIT || part.size <= MIN_PART) break;
    moved.push(part);
    left -= part.size - stubSize(part);
  }
  return left <= INLINE_LIMIT ? moved : [tree];
}

function stub(value: unknown): unknown {
  if (typeof value === "string") return whole(value.slice(0, PREVIEW_CHARS));
  return Array.isArray(value) ? [] : {};
}

function stubSize(part: Part): number {
  return typeof part.value === "string" ? Buffer.byteLength(JSON.stringify(stub(part.value))) : 2;
}

/** Cuts no surrogate pair in half: the text must stay valid UTF-8. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** Each value once, from the inside out: what a container takes is what its members take, and a little. */
function measure(value: unknown, pointer: string, replace: (value: unknown) => void): Part {
  if (typeof value !== "object" || value === null) {
    return { pointer, value, size: Buffer.byteLength(JSON.stringify(value)), inside: [], replace };
  }
  const holder = value as Record<string, unknown>;
  let size = 2;
  const inside = Object.entries(holder).map(([key, item]) => {
    const escaped = key.replaceAll("~", "~0").replaceAll("/", "~1");
    const part = measure(item, `${pointer}/${escaped}`, (next) => {
      holder[key] = next;
    });
    size += part.size + 1 + (Array.isArray(value) ? 0 : Buffer.byteLength(JSON.stringify(key)) + 1);
    return part;
  });
  return { pointer, value, size, inside: inside.filter((part) => part.size > MIN_PART), replace };
}
