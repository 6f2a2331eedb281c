import { schemaFindingOf } from "./directory.ts";
import { type Check, fail, ok, warn } from "./finding.ts";

const TOLERANCE_MS = 5_000;

/** The database, where one is configured. */
export const checkPostgres: Check = async ({ place }) => {
  if (place.kind !== "postgres") return [];
  const { inspectPostgres, postgresName } = await import("@fairlead/runtime/inspect");
  try {
    const found = await inspectPostgres(place.url);
    const apart = Math.abs(found.now - Date.now());
    const clock =
      apart <= TOLERANCE_MS
        ? ok("database clock", `${apart} ms from ours`)
        : warn("database clock", `${Math.round(apart / 1000)} s from ours`, "Set both clocks by NTP.");
    return [ok("database", `${found.name}, PostgreSQL ${found.version}`), schemaFindingOf(found), clock];
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    // The driver's message can be empty, and never holds the password.
    return [
      fail(
        "database",
        `${postgresName(place.url)} cannot be reached: ${message || code}`,
        "Is it running, and are host, port, user and password in --store or FAIRLEAD_STORE right?",
      ),
    ];
  }
};
