import { readFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DIRECTORY = "notes";

/** Writes down what a snapshot leaves out, beside it: who gets its files later is to be told. */
export async function keepNotes(own: string, ref: string, notes: readonly string[]): Promise<void> {
  const place = placeOf(own, ref);
  if (notes.length === 0) return rm(place, { force: true });
  await mkdir(join(own, DIRECTORY), { recursive: true, mode: 0o700 });
  await writeFile(place, JSON.stringify(notes), { mode: 0o600 });
}

/** In sentences for people. Of a snapshot that left nothing out, or of which it is not known: none. */
export async function notesKept(own: string, ref: string): Promise<readonly string[]> {
  try {
    return JSON.parse(await readFile(placeOf(own, ref), "utf8")) as readonly string[];
  } catch {
    return [];
  }
}

function placeOf(own: string, ref: string): string {
  return join(own, DIRECTORY, ref.replace(":", "-"));
}
