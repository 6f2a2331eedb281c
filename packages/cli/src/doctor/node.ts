import { fail, type Finding, ok } from "./finding.ts";

const NEEDED_MAJOR = 24;

/** The program itself: looked at first, because nothing else works without it. */
export async function checkNode(): Promise<Finding[]> {
  return [versionFinding(process.versions.node), await sqliteFinding()];
}

function versionFinding(version: string): Finding {
  if (Number.parseInt(version) >= NEEDED_MAJOR) return ok("node", version);
  return fail(
    "node",
    `${version}, and ${NEEDED_MAJOR} or newer is needed`,
    "Start it through npm, which brings one along, or install it from https://nodejs.org.",
  );
}

async function sqliteFinding(): Promise<Finding> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(":memory:");
    const row = db.prepare("SELECT sqlite_version() AS version").get();
    db.close();
    return ok("sqlite", String(row?.["version"]));
  } catch (error) {
    return fail(
      "sqlite",
      `this Node has none: ${(error as Error).message}`,
      `Use Node ${NEEDED_MAJOR} or newer, not built without SQLite.`,
    );
  }
}
