import type { z } from "zod";

import { check } from "./check.ts";
import type { AhpErrorCode } from "./errors.ts";
import { AhpError } from "./errors.ts";

/**
 * As `check`, but what the schema does not know stays: a peer of a newer minor version may say more, and whoever
 * decides or approves must see all of it. Beyond that a reader sees unset for null in an optional field, and the
 * protocol's defaults.
 */
export function checkAsSent<T extends z.ZodType>(
  schema: T,
  value: unknown,
  code: AhpErrorCode,
  what: string,
): z.output<T> | AhpError {
  const read = check(schema, value, code, what);
  if (!(read instanceof AhpError)) restore(value, read);
  return read;
}

/** Puts back, in place, what reading left out. Goes only as deep as the schema: what it passes on whole is the same value. */
function restore(sent: unknown, read: unknown): void {
  if (sent === read || !isObject(sent) || !isObject(read)) return;
  for (const key of Object.keys(sent)) {
    if (Object.hasOwn(read, key)) restore(sent[key], read[key]);
    // Not by assignment, because a key may be `__proto__`.
    else Object.defineProperty(read, key, { value: sent[key], ...PLAIN });
  }
}

const PLAIN = { enumerable: true, configurable: true, writable: true };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
