/** Whatever somebody else wrote: looked into with care. */
export type Json = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const records = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);
export const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
export const text = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** What a table says of a name from elsewhere: what every object has is not among it. */
export const own = <T>(words: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;

/** A name as programs write it. */
export const worded = (name: string): string => name.replaceAll("_", " ");

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
export const amount = (value: number): string => numbers.format(value);

/** So many of something; nothing where it is not known. */
export function many(value: unknown, one: string, several = `${one}s`): string | null {
  return typeof value === "number" ? `${amount(value)} ${value === 1 ? one : several}` : null;
}

/** The parts that are there, one after another; names stay as they are written. */
export function listed(...parts: readonly (string | null | undefined)[]): string | null {
  const said = parts.filter((part) => part != null && part !== "").join(", ");
  return said === "" ? null : `${said}.`;
}

/** The same as a sentence. */
export function sentence(...parts: readonly (string | null | undefined)[]): string | null {
  const said = listed(...parts);
  return said === null ? null : `${said[0]!.toUpperCase()}${said.slice(1)}`;
}
