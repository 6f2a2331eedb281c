import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { dataOf } from "./end.ts";
import type { WholeLog } from "./read-log.ts";

/** Of each session, the files where it works: their paths, and a hash of what is in them. */
export type Files = Readonly<Record<string, readonly string[]>>;

/** A session that has no place of its own works in the project. */
export function filesOf({ events, streams }: WholeLog, project: string): Files {
  return Object.fromEntries(
    streams.map(({ id }) => {
      const own = events.filter(({ stream }) => stream === id);
      const place = dataOf(own, "runtime.session.state").at(-1)?.["workspace"];
      return [id, filesIn(typeof place === "string" ? place : project)];
    }),
  );
}

function filesIn(dir: string): readonly string[] {
  if (!existsSync(dir)) return ["the directory is not there"];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(dir, path).startsWith(".git"))
    .map((path) => `${relative(dir, path)} ${hashOf(readFileSync(path))}`)
    .toSorted();
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
