import type { ChangedFile, WorkspaceDiff } from "../../ports/workspaces.ts";
import type { WorkspaceLimits } from "../limits.ts";
import { type Git, type GitPlace, names } from "./run.ts";

const STATUS: Readonly<Record<string, ChangedFile["status"]>> = { A: "added", D: "deleted" };
const LIST_BYTES = 16 * 1024 * 1024;

/** What leads from one commit to another. No driver of anybody's makes text of what is not. */
export async function gitDiff(
  git: Git,
  place: GitPlace,
  [from, to]: readonly [string, string],
  { diffBytes, diffFiles }: WorkspaceLimits,
): Promise<WorkspaceDiff> {
  const plain = ["--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"];
  const between = (...args: readonly string[]) => ["diff-tree", "-r", ...plain, ...args, from, to, "--"];
  const status = await git(between("--name-status", "-z"), { ...place, maxBytes: LIST_BYTES });
  const lines = await git(between("--numstat", "-z"), { ...place, maxBytes: LIST_BYTES });
  const patch = await git(between("--patch", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"), {
    ...place,
    maxBytes: diffBytes,
  });
  const files = listed(names(status), names(lines));
  return {
    files: files.slice(0, diffFiles),
    text: wholeLines(patch.stdout.toString("utf8"), patch.truncated),
    truncated: patch.truncated || status.truncated || lines.truncated || files.length > diffFiles,
  };
}

function listed(status: readonly string[], lines: readonly string[]): ChangedFile[] {
  const counts = new Map(
    lines.map((text) => {
      const [added, removed, ...path] = text.split("\t");
      return [path.join("\t"), [number(added), number(removed)]] as const;
    }),
  );
  const files: ChangedFile[] = [];
  for (let i = 0; i + 1 < status.length; i += 2) {
    const path = status[i + 1] ?? "";
    const [added = null, removed = null] = counts.get(path) ?? [];
    files.push({
      path: Buffer.from(path, "latin1").toString("utf8"),
      status: STATUS[status[i] ?? ""] ?? "modified",
      added,
      removed,
    });
  }
  return files;
}

/** Of what is not text git says `-`. */
function number(text: string | undefined): number | null {
  return text === undefined || text === "-" ? null : Number(text);
}

function wholeLines(text: string, truncated: boolean): string {
  return truncated ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
}
