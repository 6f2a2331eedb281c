import { FairleadError } from "@fairlead/contract";
import pg from "pg";

/** The connection or the server went away, or is not back yet: the same question may be asked again. */
const PASSING_STATES = new Set([
  "25006", // a standby, after a change of primary
  "40001", // serialization failure
  "40P01", // deadlock
  "53300", // too many connections
  "55P03", // lock_timeout
  "57014", // cancelled from outside
  "57P01", // admin shutdown
  "57P02", // crash shutdown
  "57P03", // cannot connect now
  "57P05", // idle session timeout
]);
const PASSING_ERRNOS = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ENOENT",
]);
/** The driver's own words for a connection that is gone; it gives them no code. */
const PASSING_WORDS = /terminated|not queryable|timeout|Client was closed/i;

/** The server answers, and cannot: no access, no such database, no space, no memory, broken files. */
const BARRED_STATES = /^(28|3D|53|58|42501|57P04|F0)/;

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError)
    return PASSING_STATES.has(code) || (code.startsWith("08") && code !== "08P01");
  return PASSING_ERRNOS.has(code) || (error instanceof Error && PASSING_WORDS.test(error.message));
}

/**
 * What the caller is told. `store_unavailable` when the store is to blame; any other error means that
 * the server could not take this very question, and others may be fine.
 */
export function storeError(error: unknown, store: string): unknown {
  if (error instanceof FairleadError) return error;
  const barred = error instanceof pg.DatabaseError && BARRED_STATES.test(codeOf(error));
  if (!barred && !isPassing(error)) return error;
  return new FairleadError("store_unavailable", {
    message: `${store} ${faultWords(error)}.`,
    cause: error,
  });
}

/** Why it cannot be reached at all, where that is known. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "cannot be reached: nothing listens there",
  ENOTFOUND: "cannot be reached: there is no host of that name",
  ENOENT: "cannot be reached: there is no such socket",
};

function faultWords(error: unknown): string {
  const code = codeOf(error);
  if (Object.hasOwn(UNREACHABLE, code)) return UNREACHABLE[code]!;
  const words = error instanceof Error && error.message !== "" ? error.message : code;
  return `does not answer as it should: ${words}`;
}
