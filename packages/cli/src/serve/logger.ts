import type { Logger } from "@fairlead/runtime/serve";
import { LOG_LEVELS, type LogLevel, structuredLogger } from "@fairlead/runtime/serve";
import { Failure } from "../failure.ts";
import type { Output } from "../output.ts";

/** `--verbose` or FAIRLEAD_LOG give structured lines; without them a person is told only of trouble. */
export function loggerFor(out: Output, verbose: boolean, level: string | undefined): Logger {
  if (level !== undefined && level !== "") return structuredLogger(levelOf(level));
  return verbose ? structuredLogger("info") : plainLogger(out);
}

function levelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level === undefined)
    throw new Failure("usage", `FAIRLEAD_LOG must be one of ${LOG_LEVELS.join(", ")}.`);
  return level;
}

function plainLogger(out: Output): Logger {
  const say = (details: unknown, message?: string): void => {
    const { err, code, request_id } = (
      typeof details === "object" && details !== null ? details : {}
    ) as Details;
    const about = [code, request_id].filter((part) => part !== undefined).join(" ");
    const why = err instanceof Error ? `: ${err.message}` : "";
    out.note(`${message ?? String(details)}${about === "" ? "" : ` (${about})`}${why}`);
  };
  return { debug: () => {}, info: () => {}, warn: say as Logger["warn"], error: say as Logger["error"] };
}

interface Details {
  readonly err?: unknown;
  readonly code?: string;
  readonly request_id?: string;
}
