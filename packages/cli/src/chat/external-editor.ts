import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../host.ts";

/** The text as the person's own editor left it; undefined when none is set or it ended badly. Holds the terminal meanwhile. */
export function editExternally(env: Environment, text: string): string | undefined {
  const command = env["VISUAL"] || env["EDITOR"];
  if (!command) return undefined;
  // Arguments may be secret: a directory that nobody else can enter.
  const folder = mkdtempSync(join(tmpdir(), "fairlead-edit-"));
  const file = join(folder, "arguments.json");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // By the shell, as git does: the setting may carry arguments of its own.
    const { status } = spawnSync("sh", ["-c", `${command} "$1"`, "sh", file], {
      stdio: "inherit",
      env: { ...env },
    });
    return status === 0 ? readFileSync(file, "utf8") : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
