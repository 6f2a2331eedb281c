import type { Field, FieldOrder, RowFilter, RowTest } from "../../ports/row-query.ts";

/** Takes a value and gives its number in the statement. */
type Place = (value: unknown) => string;

/**
 * PostgreSQL refuses the whole document for an escape that it has no character for: of NUL, or of half a character. JSON has
 * escapes only for those and for control characters, so each is spelled out as `/u…`, which is sound whatever stands before it.
 */
function json(row: string): string {
  return `replace(${row}.doc, '\\u', '\\/u')::json`;
}

/** What is looked for, spelled out the same way: no text of PostgreSQL holds a NUL. */
function spelled(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0007\u000b\u000e-\u001f]/g,
    (character) => `/u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function at(row: string, field: Field): string {
  return `(${json(row)} #>> '{${field.join(",")}}')`;
}

function testSql(row: string, test: RowTest, rows: string, place: Place): string {
  if ("words" in test) {
    if (test.words.length === 0) return "true";
    const text = `coalesce((select m.doc from ${rows} m where m.kind = ${place(test.mark)} and m.id = ${row}.id), lower(${row}.doc))`;
    // Byte by byte: what is folded needs no collation.
    const each = test.words.map((word) => `strpos(t.text, ${place(word)}::text collate "C") > 0`);
    return `(select ${each.join(" and ")} from (select ${text} collate "C" as text) as t)`;
  }
  if ("noted" in test) {
    const noted = `(${json(row)} #> '{${test.noted.join(",")}}' ->> ${place(test.key)}::text)`;
    const below = at(row, test.below);
    return `coalesce(${noted}::numeric, 0) ${test.is ? "<" : ">="} coalesce(${below}::numeric, 0)`;
  }
  if ("in" in test) return `${at(row, test.field)} = any(${place(test.in.map(spelled))}::text[])`;
  return `coalesce(${at(row, test.field)}, '') <> all(${place(test.not.map(spelled))}::text[])`;
}

/** What a filter says of a row `r` beside its state. `rows` is the table. */
export function filterSql({ ids, where = [], beside }: RowFilter, rows: string, place: Place): string[] {
  const found = where.map((test) => testSql("r", test, rows, place));
  if (ids !== undefined) found.push(`r.id = any(${place(ids)}::text[])`);
  if (beside !== undefined) {
    const tests = (beside.where ?? []).map((test) => ` and ${testSql("b", test, rows, place)}`);
    const kind = place(beside.kind);
    const states = place(beside.state);
    found.push(
      `exists (select from ${rows} b where b.kind = ${kind} and b.id = r.id and b.state = any(${states}::text[])${tests.join("")})`,
    );
  }
  return found;
}

/** By what a row `r` is sorted, as a number or a text. */
export function orderSql({ field, otherwise, ranks }: FieldOrder, place: Place): string {
  const type = typeof otherwise === "number" ? "double precision" : `text collate "C"`;
  const value = at("r", field);
  const missing = `${place(otherwise)}::${type}`;
  if (ranks === undefined) return `coalesce(${value}::${type}, ${missing})`;
  return `coalesce(array_position(${place(ranks)}::text[], ${value}) - 1, ${missing})`;
}
