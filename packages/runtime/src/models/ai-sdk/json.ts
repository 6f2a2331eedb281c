/** What a provider sends: nobody has looked at it yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether it is an object with fields: not null, not a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
