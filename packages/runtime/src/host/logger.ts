import { destination, type Logger, pino } from "pino";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One JSON object a line, on standard error: standard output belongs to whoever started the process. */
export function structuredLogger(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination(2),
  );
}
