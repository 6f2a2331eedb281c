import { amount, type Json, many, number, record, records, sentence, text } from "./json.ts";

/** What a context pack holds, in sentences: how much was found, and what it was looked for in. */
export function packInWords(pack: unknown): readonly string[] {
  const { files, chunks, tokens, truncated, indexed_files, complete, error } = record(pack);
  const failed = text(error);
  if (failed !== null) return [`Nothing could be looked up: ${failed}`];
  const passages = many(chunks, "passage");
  const of = many(files, "file");
  const found = passages === null ? of : of === null ? passages : `${passages} of ${of}`;
  const size = number(tokens);
  return [
    sentence(found, size === null ? null : `about ${amount(size)} tokens`),
    typeof indexed_files === "number" ? `${many(indexed_files, "file")} were searched.` : null,
    truncated === true ? "More would have fitted the question than there was room for." : null,
    complete === false ? "Not all files are in the index." : null,
  ].filter((line) => line !== null);
}

/** A source that the model was given: where it is, and what it says. */
export interface CitationInWords {
  readonly label: string;
  readonly lines: string | null;
  readonly text: string | null;
}

const NAMED = ["title", "path", "source", "url", "uri", "id"];

function citationInWords(citation: Json): CitationInWords {
  const label = NAMED.map((name) => text(citation[name])).find((name) => name !== null);
  const said = text(citation["text"]) ?? text(citation["snippet"]) ?? text(citation["quote"]);
  return { label: label ?? "A source without a name", lines: linesOf(citation), text: said };
}

function linesOf({ lines, line, start_line, end_line }: Json): string | null {
  const [from, to] = Array.isArray(lines) ? (lines as unknown[]) : [start_line ?? line, end_line];
  if (typeof from !== "number") return null;
  return typeof to === "number" && to !== from ? `lines ${from}–${to}` : `line ${from}`;
}

export function citationsInWords(citations: unknown): readonly CitationInWords[] {
  return records(citations).map(citationInWords);
}
