import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** The patterns behind formats take time that grows with the square of the text; no text of these kinds is longer. */
const LONGEST_TEXT = 2_048;

/** A file as text can be any length, and looking at it takes one pass. */
const ANY_LENGTH = new Set(["byte", "binary", "password"]);

/** The formats of `ajv-formats`, in which a text that is too long fits none. */
export const FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  Object.entries(fullFormats as Readonly<Record<string, Format>>).map(([name, format]) => [
    name,
    ANY_LENGTH.has(name) ? format : bounded(format),
  ]),
);

function bounded(format: Format): Format {
  if (typeof format === "boolean" || typeof format === "string") return format;
  if (format instanceof RegExp) return (text: string) => text.length <= LONGEST_TEXT && format.test(text);
  if (typeof format === "function") return (text: string) => text.length <= LONGEST_TEXT && format(text);
  if (format.type === "number") return format;
  const { validate } = format;
  if (typeof validate !== "function") throw new Error("A format that cannot be bounded.");
  return (text: string) => text.length <= LONGEST_TEXT && (validate as (text: string) => boolean)(text);
}
