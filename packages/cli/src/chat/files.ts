import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MOST = 20_000;
const BYTES = 16 * 1_024 * 1_024;
const SKIPPED = new Set(["node_modules", "dist", "target", "__pycache__"]);

/** Files of the workspace that `@` offers: those that git does not ignore, or where there is no git, a walk. */
export async function workspaceFiles(root: string): Promise<string[]> {
  try {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout } = await run("git", args, { cwd: root, maxBuffer: BYTES });
    return [...new Set(stdout.split("\0").filter((path) => path !== ""))].slice(0, MOST);
  } catch {
    return walked(root);
  }
}

async function walked(root: string): Promise<string[]> {
  const found: string[] = [];
  const open = [""];
  for (let folder = open.shift(); folder !== undefined && found.length < MOST; folder = open.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.slice(0, MOST);
}
