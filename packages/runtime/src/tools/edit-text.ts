import { plural } from "./text.ts";

export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

export interface Edited {
  readonly text: string;
  /** Where the text was found, from 1. */
  readonly lines: readonly number[];
}

const MOST_LINES_NAMED = 20;

/** Throws with a precise sentence when the old text is not there, or is there more often than wanted. */
export function applyEdit(before: string, edit: Edit, path: string): Edited {
  const { old_text, new_text } = fitLineEnds(before, edit);
  const places = find(before, old_text);
  if (places.length === 0) throw new Error(notFound(before, old_text, path));
  const lines = lineNumbers(before, places);
  if (places.length > 1 && edit.replace_all !== true)
    throw new Error(
      `old_text is found ${places.length} times in ${path}, at lines ${named(lines)}. Add lines around it until it is there once, or set replace_all.`,
    );
  // Not String.replace: `$&` in the new text means nothing here.
  return { text: before.split(old_text).join(new_text), lines };
}

/** Models write \n; a file with Windows line ends keeps them. */
function fitLineEnds(before: string, edit: Edit): Edit {
  if (!before.includes("\r\n") || edit.old_text.includes("\r") || before.includes(edit.old_text)) return edit;
  const fit = (text: string) => text.replace(/\r?\n/g, "\r\n");
  return { ...edit, old_text: fit(edit.old_text), new_text: fit(edit.new_text) };
}

function find(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", from)) {
      line++;
      from = at + 1;
    }
    return line;
  });
}

function notFound(text: string, part: string, path: string): string {
  const squeezed = (value: string) => value.replace(/\s+/g, " ").trim();
  const first =
    part
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? "";
  const near = text.split("\n").flatMap((line, i) => (first !== "" && line.includes(first) ? [i + 1] : []));
  if (squeezed(text).includes(squeezed(part)) && squeezed(part) !== "")
    return `old_text is not in ${path} as given: the white space differs${near.length > 0 ? ` (its first line is like line ${named(near)})` : ""}. Read the file and copy it exactly.`;
  if (near.length > 0)
    return `old_text is not in ${path}. Its first line is at ${plural(near.length, "place")} (line ${named(near)}), but what follows differs. Read the file again.`;
  return `old_text is not in ${path}. Read the file again: it must be copied exactly.`;
}

function named(lines: readonly number[]): string {
  const more = lines.length - MOST_LINES_NAMED;
  return `${lines.slice(0, MOST_LINES_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
