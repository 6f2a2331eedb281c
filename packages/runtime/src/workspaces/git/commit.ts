import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const WHO = "Fairlead <fairlead@localhost>";

/** As `git commit-tree` does it, without a process for it: somebody waits. It is on the disk when this returns. */
export async function writeCommit(objects: string, { tree, parents, message, at }: Commit): Promise<string> {
  const when = `${WHO} ${Math.floor(at / 1_000)} +0000`;
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const text = [...head, `author ${when}`, `committer ${when}`, "", message, ""].join("\n");
  const bytes = Buffer.from(`commit ${Buffer.byteLength(text)}\0${text}`);
  const name = createHash(tree.length === 64 ? "sha256" : "sha1")
    .update(bytes)
    .digest("hex");
  const place = join(objects, name.slice(0, 2), name.slice(2));
  if (!existsSync(place)) await put(place, deflateSync(bytes));
  return name;
}

async function put(place: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const draft = join(dirname(place), `tmp_obj_${randomBytes(6).toString("hex")}`);
  const file = await open(draft, "wx", 0o444);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, place);
}
