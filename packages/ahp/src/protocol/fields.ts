import { z } from "zod";

/** An optional field as the protocol means it: a reader takes null as unset, a writer leaves it out. */
export function unset<T extends z.ZodType>(schema: T): z.ZodOptional<T> {
  // The cast hides the null step from the types: whoever writes by them cannot write null.
  return z.preprocess(nullAsUnset, schema.optional()) as unknown as z.ZodOptional<T>;
}

/** As `unset`, but the reader sees the default that the protocol names. */
export function defaulted<T extends z.ZodType>(
  schema: T,
  value: z.core.util.NoUndefined<z.output<T>>,
): z.ZodDefault<T> {
  return z.preprocess(nullAsUnset, schema.default(value)) as unknown as z.ZodDefault<T>;
}

function nullAsUnset(value: unknown): unknown {
  return value === null ? undefined : value;
}

/** Any JSON value, null included; the field itself must be there. */
export const Json = z.unknown().refine((value): boolean => value !== undefined, "required");

/** A JSON value that must be said: null would be unset, and this may not be. */
export const Said = z
  .unknown()
  .refine((value): boolean => value !== undefined && value !== null, "required")
  .meta({ not: { type: "null" } });

/** Counts and durations; above 2^53 a JSON number has lost digits, so it is refused. */
export const Count = z.int().min(0);

export const Texts = z.array(z.string());

/** Free key-value pairs that both sides carry and neither interprets. */
export const Metadata = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof Metadata>;
