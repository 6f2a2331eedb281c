import type { z } from "zod";

import type { Awaitable } from "../awaitable.ts";
import { isPromise } from "../awaitable.ts";
import { check } from "../protocol/check.ts";
import { AhpError } from "../protocol/errors.ts";

/** Runs a handler: what it throws becomes a value, and what it returns is checked. Stays synchronous when it can. */
export function runHandler<T extends z.ZodType>(
  handler: () => unknown,
  schema: T,
): Awaitable<z.output<T> | AhpError> {
  try {
    const result = handler();
    return isPromise(result)
      ? result.then((value) => checked(schema, value), toFailure)
      : checked(schema, result);
  } catch (error) {
    return toFailure(error);
  }
}

/** As `runHandler`, for handlers that return nothing. */
export function runObserver(handler: () => unknown): Awaitable<AhpError | undefined> {
  try {
    const result = handler();
    return isPromise(result) ? result.then(() => undefined, toFailure) : undefined;
  } catch (error) {
    return toFailure(error);
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> | AhpError {
  return check(schema, value, "handler_failed", "Handler error: not a valid answer");
}

export function toFailure(error: unknown): AhpError {
  if (error instanceof AhpError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AhpError("handler_failed", `Handler error: ${message}`, { cause: error });
}
