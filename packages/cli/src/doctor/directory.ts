import { constants } from "node:fs";
import { access, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { holderOf, isAlive, looseDirectory } from "@fairlead/runtime/local";
import { answers, describeHolder } from "../connect.ts";
import { type Check, fail, failed, type Finding, ok, warn } from "./finding.ts";

const MIB = 1024 * 1024;
const LEAST_SPACE = 100 * MIB;
const GOOD_SPACE = 1024 * MIB;

/** The data directory of the embedded store. */
export const checkDirectory: Check = async ({ place }) => {
  if (place.kind !== "sqlite") return [];
  const { data } = place;
  return [
    ...(await accessFindings(data)),
    await spaceFinding(data),
    await holderFinding(data),
    await schemaFinding(data),
  ];
};

async function accessFindings(data: string): Promise<Finding[]> {
  const name = "data";
  const there = await stat(data).catch(() => undefined);
  if (there === undefined) {
    const parent = await nearest(dirname(data));
    const may = await access(parent, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (may) return [ok(name, `${data} is not there yet; it is made when needed`)];
    return [
      fail(
        name,
        `${data} cannot be made: ${parent} is not writable`,
        "Choose another directory with --data.",
      ),
    ];
  }
  if (!there.isDirectory()) return [fail(name, `${data} is not a directory`, "Choose another with --data.")];
  const trial = join(data, `.doctor-${process.pid}`);
  try {
    await writeFile(trial, "", { mode: 0o600 });
    await rm(trial);
  } catch (error) {
    return [notWritable(name, data, error as NodeJS.ErrnoException)];
  }
  return [modeFinding(name, data)];
}

/** Whose it is does not matter on a file system that takes no writes. */
export function notWritable(name: string, data: string, { code, message }: NodeJS.ErrnoException): Finding {
  const mend =
    code === "EROFS"
      ? `Its file system is read-only. To look at what is there, copy it: cp -r ${data} COPY && chmod -R u+rwX,go= COPY, then --data COPY.`
      : `Give it to yourself: chown $(id -u) ${data} && chmod 700 ${data}`;
  return fail(name, `${data} is not writable: ${message}`, mend);
}

function modeFinding(name: string, data: string): Finding {
  try {
    const loose = looseDirectory(data);
    return loose === undefined ? ok(name, data) : warn(name, loose.problem, loose.mend);
  } catch (error) {
    return failed(name, error, "Choose another directory with --data.");
  }
}

async function nearest(path: string): Promise<string> {
  const there = await stat(path).catch(() => undefined);
  return there !== undefined || dirname(path) === path ? path : nearest(dirname(path));
}

async function spaceFinding(data: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(await nearest(data));
    const free = bavail * bsize;
    const detail = `${Math.floor(free / MIB).toLocaleString("en")} MiB free`;
    if (free >= GOOD_SPACE) return ok("disk", detail);
    const mend = "Make room, or move the data to a larger disk with --data.";
    return free < LEAST_SPACE ? fail("disk", detail, mend) : warn("disk", detail, mend);
  } catch (error) {
    return failed("disk", error, "Is the disk there?");
  }
}

async function holderFinding(data: string): Promise<Finding> {
  const holder = holderOf(data);
  if (holder === undefined) return ok("lock", "nobody has the data open");
  if (!isAlive(holder.pid))
    return ok("lock", `left behind by process ${holder.pid}, which is gone; harmless`);
  const who = describeHolder(holder);
  if (holder.url === undefined || (await answers(holder.url))) return ok("lock", `held by ${who}`);
  return warn("lock", `held by ${who}, which does not answer`, `If it hangs, stop it: kill ${holder.pid}`);
}

async function schemaFinding(data: string): Promise<Finding> {
  const { inspectSqlite } = await import("@fairlead/runtime/inspect");
  try {
    return schemaFindingOf(inspectSqlite(data));
  } catch (error) {
    if ((error as Error).message.startsWith("no such table"))
      return fail("schema", "fairlead.db is a database of another program", "Choose another with --data.");
    return fail(
      "schema",
      `the store cannot be read: ${(error as Error).message}`,
      "Keep a copy of the directory, then restore fairlead.db from a backup.",
    );
  }
}

export function schemaFindingOf({ schema, known }: { schema: number | null; known: number }): Finding {
  if (schema === null) return ok("schema", "no store yet");
  if (schema > known) {
    return fail(
      "schema",
      `the store has version ${schema}, and this program knows up to ${known}`,
      "Run the newer program that wrote it.",
    );
  }
  return ok(
    "schema",
    schema === known ? `version ${schema}` : `version ${schema}; brought to ${known} at the next start`,
  );
}

/** The last time anything in the directory was written; 0 when nothing is there. */
export async function lastWritten(data: string): Promise<number> {
  const names = await readdir(data).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(data, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(0, ...times);
}
