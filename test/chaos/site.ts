import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { StoreChoice } from "../../packages/runtime/src/create-runtime.ts";
import { freshDatabase } from "../../packages/runtime/test/support/postgres.ts";
import { type ScenarioName, SCENARIOS } from "./scenarios.ts";
import type { StoreName } from "./stores.ts";

/** All that outlives a process: a store, directories and the world outside. */
export interface Site {
  readonly scenario: ScenarioName;
  readonly store: StoreChoice;
  /** The project. */
  readonly workspace: string;
  /** Where background work writes. */
  readonly places: string;
  /** The name of the world outside. */
  readonly world: string;
}

export interface OwnSite extends Site {
  remove(): void;
}

/** Empty. `server`: where there is a PostgreSQL; it keeps the databases. */
export async function makeSite(
  scenario: ScenarioName,
  store: StoreName,
  server: () => Promise<string>,
): Promise<OwnSite> {
  const root = mkdtempSync(join(tmpdir(), "fairlead-chaos-"));
  const workspace = join(root, "work");
  mkdirSync(workspace);
  if (SCENARIOS[scenario].kept) makeRepository(workspace);
  return {
    scenario,
    store:
      store === "sqlite" ? { sqlite: join(root, "data") } : { postgres: await freshDatabase(await server()) },
    workspace,
    places: join(root, "places"),
    world: basename(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** With one file, committed. */
export function makeRepository(dir: string): void {
  writeFileSync(join(dir, "begun.txt"), "begun");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "-A"],
    [...who, "commit", "--quiet", "-m", "Begun"],
  ])
    execFileSync("git", args, { cwd: dir, stdio: "ignore" });
}
