const LONGEST_VALUE = 60;
const MOST_NAMES = 20;

/** A value as an error shows it: short, on one line, never more than a glance. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value, LONGEST_VALUE));
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** `a, b or c`; long lists are cut. */
export function listed(words: readonly string[], last = "or"): string {
  if (words.length > MOST_NAMES)
    return `${words.slice(0, MOST_NAMES).join(", ")} and ${words.length - MOST_NAMES} more`;
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** `a string or null`. */
export function typesInWords(types: readonly string[]): string {
  return listed(types.map((type) => TYPES[type] ?? type));
}

/** An argument as an error names it: `"filter.limit"`, or the arguments as a whole. */
export function argumentAt(pointer: string): string {
  return pointer === "" ? "The call" : JSON.stringify(keysOf(pointer).join("."));
}

/** The keys along a JSON Pointer. */
export function keysOf(pointer: string): readonly string[] {
  return pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerTo(parent: string, key: string): string {
  return `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
