import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { putFile } from "../put-file.ts";

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
  const draft = join(dirname(place), `tmp_obj_${randomBytes(6).toString("hex")}`);
  if (!existsSync(place)) await putFile(place, deflateSync(bytes), { draft, mode: 0o444 });
  return name;
}
