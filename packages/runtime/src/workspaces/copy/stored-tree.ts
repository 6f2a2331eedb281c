import { createHash } from "node:crypto";
import { FairleadError } from "@fairlead/contract";
import type { Objects } from "./objects.ts";
import type { Tree } from "./tree.ts";

const REF = /^tree:([0-9a-f]{64})$/;

/** A piece ends after a path like one in so many, so that a file more or less changes one piece. */
const ONE_IN = 64;

/** A list of entries was written whole once. */
type Stored = Tree | { readonly pieces: readonly string[] };

/**
 * Stores a tree in pieces by content: of the next that differs in a file, all others are there already. The same files are
 * the same ref, whoever stores them.
 */
export async function storeTree(objects: Objects, tree: Tree): Promise<string> {
  const pieces: string[] = [];
  for (const piece of piecesOf(tree)) pieces.push(await objects.put(bytesOf(piece)));
  return `tree:${await objects.put(bytesOf({ pieces }))}`;
}

/** Throws snapshot_not_found. */
export async function readTree(objects: Objects, ref: string): Promise<Tree> {
  const stored = await read<Stored>(objects, nameOf(ref), ref);
  if (!("pieces" in stored)) return stored;
  const pieces = await Promise.all(stored.pieces.map((name) => read<Tree>(objects, name, ref)));
  return pieces.flat();
}

/** The objects that a snapshot is made of, each after what names it. Throws snapshot_not_found. */
export async function objectsOf(objects: Objects, ref: string): Promise<readonly string[]> {
  return objectsBeyond(objects, ref, new Set());
}

/** The same, without those that are counted already, which it adds to: a piece that is counted need not be read. */
export async function objectsBeyond(
  objects: Objects,
  ref: string,
  counted: Set<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const isNew = (name: string) => !counted.has(name) && counted.add(name) && found.push(name) > 0;
  const stored = await read<Stored>(objects, nameOf(ref), ref);
  isNew(nameOf(ref));
  const trees = "pieces" in stored ? [] : [stored];
  for (const name of "pieces" in stored ? stored.pieces : [])
    if (isNew(name)) trees.push(await read<Tree>(objects, name, ref));
  for (const entry of trees.flat()) if (entry.kind === "file") isNew(entry.sha256);
  return found;
}

function nameOf(ref: string): string {
  return REF.exec(ref)?.[1] ?? "";
}

async function read<T>(objects: Objects, name: string, ref: string): Promise<T> {
  const bytes = await objects.get(name);
  if (bytes === undefined) throw new FairleadError("snapshot_not_found", { details: { ref } });
  return JSON.parse(bytes.toString("utf8")) as T;
}

function bytesOf(value: Stored): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function piecesOf(tree: Tree): readonly Tree[] {
  const pieces: Tree[] = [];
  let from = 0;
  for (const [i, { path }] of tree.entries())
    if (endsAt(path)) {
      pieces.push(tree.slice(from, i + 1));
      from = i + 1;
    }
  return from === tree.length ? pieces : [...pieces, tree.slice(from)];
}

function endsAt(path: string): boolean {
  return (createHash("sha256").update(path).digest()[0] ?? 0) % ONE_IN === 0;
}
