import { lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const LINKS = 5;

/** A checkout's own git directory: beside the files, or where a file there says. Undefined where there is none. */
export function gitDirOf(top: string): string | undefined {
  const place = join(top, ".git");
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return place;
  const said = /^gitdir: (.+)$/m.exec(textOf(place) ?? "")?.[1];
  return said === undefined ? undefined : resolve(top, said);
}

/** The commit that a checkout stands on, read from files alone. Undefined where they do not say: then git is to be asked. */
export function headIn(gitDir: string, common: string): string | undefined {
  let said = textOf(join(gitDir, "HEAD"))?.trim();
  for (let i = 0; i < LINKS && said !== undefined; i++) {
    if (COMMIT.test(said)) return said;
    const ref = /^ref: (refs\/[^\0]+)$/.exec(said)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) return undefined;
    said = textOf(join(common, ref))?.trim() ?? packed(common, ref);
  }
  return undefined;
}

function packed(common: string, ref: string): string | undefined {
  const lines = textOf(join(common, "packed-refs"))?.split("\n") ?? [];
  return lines.find((text) => text.endsWith(` ${ref}`))?.split(" ")[0];
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
