import { type Check, fail, ok, warn } from "./finding.ts";
import { lastWritten } from "./directory.ts";

/** This program is not older than that. */
const RELEASED = Date.parse("2025-01-01T00:00:00Z");
const TOLERANCE_MS = 60_000;

export const checkClock: Check = async ({ place }) => {
  const name = "clock";
  const now = Date.now();
  const text = new Date(now).toISOString();
  const mend = "Set the clock, best by NTP. Order in the log does not depend on it, but expiry and ids do.";
  if (now < RELEASED) return [fail(name, `it says ${text}, which cannot be`, mend)];
  const written = place.kind === "sqlite" ? await lastWritten(place.data) : 0;
  if (written <= now + TOLERANCE_MS) return [ok(name, text)];
  return [
    warn(name, `it says ${text}, but the data was written at ${new Date(written).toISOString()}`, mend),
  ];
};
