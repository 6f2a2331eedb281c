import type { Field, FieldOrder, RowFilter, RowTest } from "../../ports/row-query.ts";

/** A part of a statement, with the values for its places. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

const list = (values: readonly string[]): string => JSON.stringify(values);
const inList = (expression: string): string => `${expression} IN (SELECT value FROM json_each(?))`;

function at(row: string, field: Field): string {
  return `json_extract(${row}.doc, '$.${field.join(".")}')`;
}

function testSql(row: string, test: RowTest): Sql {
  if ("words" in test) {
    if (test.words.length === 0) return { text: "1", values: [] };
    const text = `coalesce((SELECT m.doc FROM rows m WHERE m.kind = ? AND m.id = ${row}.id), lower(${row}.doc))`;
    // Folded and found once a row, however many words there are.
    const each = test.words.map(() => "instr(text, ?) > 0").join(" AND ");
    return {
      text: `(SELECT ${each} FROM (SELECT ${text} AS text))`,
      values: [...test.words, test.mark],
    };
  }
  if ("noted" in test) {
    const noted = `coalesce((SELECT value FROM json_each(${row}.doc, '$.${test.noted.join(".")}') WHERE key = ?), 0)`;
    return {
      text: `${noted} ${test.is ? "<" : ">="} coalesce(${at(row, test.below)}, 0)`,
      values: [test.key],
    };
  }
  if ("in" in test) return { text: inList(at(row, test.field)), values: [list(test.in)] };
  return { text: `NOT ${inList(`coalesce(${at(row, test.field)}, '')`)}`, values: [list(test.not)] };
}

/** What a filter says of a row `r` beside its state. */
export function filterSql({ ids, where = [], beside }: RowFilter): readonly Sql[] {
  const found = where.map((test) => testSql("r", test));
  if (ids !== undefined) found.push({ text: inList("r.id"), values: [list(ids)] });
  if (beside !== undefined) {
    const tests = (beside.where ?? []).map((test) => testSql("b", test));
    found.push({
      text: `EXISTS (SELECT 1 FROM rows b WHERE b.kind = ? AND b.id = r.id AND ${inList("b.state")}${tests.map(({ text }) => ` AND ${text}`).join("")})`,
      values: [beside.kind, list(beside.state), ...tests.flatMap(({ values }) => values)],
    });
  }
  return found;
}

/** By what a row `r` is sorted. */
export function orderSql({ field, otherwise, ranks }: FieldOrder): Sql {
  const value = at("r", field);
  if (ranks === undefined) return { text: `coalesce(${value}, ?)`, values: [otherwise] };
  return {
    text: `CASE ${value}${ranks.map((_, i) => ` WHEN ? THEN ${i}`).join("")} ELSE ? END`,
    values: [...ranks, otherwise],
  };
}
