// What tools leave in the files of a session that has a place of its own, beside the ledger.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { AnyEvent } from "@fairlead/contract";
import { dataOf } from "../chaos/end.ts";
import type { Traces } from "./check-places.ts";

/** Has a line for each time that something was sent. */
export const SENT = "sent.txt";

/** What a call put, however often it ran. */
export function putFile(tool_call_id: string): string {
  return `put-${tool_call_id}.txt`;
}

export function readTraces(events: readonly AnyEvent[], repository: string): Traces {
  const places = [...Map.groupBy(events, ({ stream }) => stream)].map(([stream, own]) => {
    const path = dataOf(own, "runtime.session.state").at(-1)?.["workspace"];
    return typeof path === "string"
      ? { stream, path, files: filesIn(path) }
      : { stream, path: null, files: {} };
  });
  return { places, branches: branchesOf(repository) };
}

function filesIn(dir: string): Readonly<Record<string, string>> {
  if (!existsSync(dir)) return {};
  return Object.fromEntries(
    readdirSync(dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(dir, path), readFileSync(path, "utf8")] as const)
      .filter(([name]) => !/^\.git(\/|$)/.test(name)),
  );
}

/** Those that were offered, and their commits. */
function branchesOf(repository: string): ReadonlyMap<string, string> {
  const format = "--format=%(refname:short) %(objectname)";
  const lines = git(repository, "for-each-ref", format, "refs/heads/fairlead").split("\n").filter(Boolean);
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

/** What somebody has done to the checkout. */
export function changesOf(repository: string): string {
  return git(repository, "status", "--porcelain");
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8" });
}
