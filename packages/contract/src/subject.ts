import { lineOf, textIn } from "./told.ts";

/** Arguments that say what a call is about, the most telling first. */
const TELLING = [
  "path",
  "file_path",
  "file",
  "command",
  "cmd",
  "url",
  "query",
  "pattern",
  "task",
  "question",
  "message",
  "name",
];
const MOST = 120;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What a call is about, on one line, from what a person is shown of it: a path, a command, an address. Redacted as
 * that is. Null where nothing says it.
 */
export function subjectOf(shown: unknown): string | null {
  if (!isObject(shown)) return null;
  const args = [shown["arguments"], shown["tool_input"], shown["input"]].find(isObject);
  if (args === undefined) return null;
  const said = textIn(args, ...TELLING) ?? textIn(args, ...Object.keys(args));
  return said === undefined ? null : lineOf(said, MOST);
}
