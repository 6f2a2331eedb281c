import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** In which repository something of a workspace may be, from before it is. */
export interface Begun {
  readonly common: string;
  readonly top: string;
}

const FILE = "begun.json";

/** To be written first: of one that is never finished there is no record, and its repository would be known to nobody. */
export async function noteBegun(own: string, { common, top }: Begun): Promise<void> {
  await writeFile(join(own, FILE), JSON.stringify({ common, top }), { mode: 0o600 });
}

/** Undefined where nothing was begun in a repository, or that is gone. */
export async function begunIn(own: string): Promise<Begun | undefined> {
  try {
    const begun = JSON.parse(await readFile(join(own, FILE), "utf8")) as Begun;
    return existsSync(begun.common) ? begun : undefined;
  } catch {
    return undefined;
  }
}
