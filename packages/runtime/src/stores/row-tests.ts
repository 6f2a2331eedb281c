import type { Field, RowOrder, RowTest } from "../ports/row-query.ts";

/** The same as the statements of the databases say, for rows that are in memory. */
export function fits(doc: unknown, tests: readonly RowTest[]): boolean {
  return tests.every((test) => {
    if ("words" in test) {
      const texts = test.of.map((field) => textOf(valueAt(doc, field)).toLowerCase());
      return test.words.every((word) => texts.some((text) => text.includes(word.toLowerCase())));
    }
    if ("noted" in test) {
      const noted = valueAt(doc, [...test.noted, test.key]);
      return numberOf(noted) < numberOf(valueAt(doc, test.below)) === test.is;
    }
    const value = valueAt(doc, test.field);
    if ("in" in test) return typeof value === "string" && test.in.includes(value);
    return typeof value !== "string" || !test.not.includes(value);
  });
}

/** By what it is sorted; `doc` is the row that the order is read from, if there is one. */
export function keyOf(doc: unknown, { field, otherwise, ranks }: RowOrder): string | number {
  const value = valueAt(doc, field);
  if (ranks !== undefined) {
    const rank = ranks.indexOf(value as string);
    return rank === -1 ? otherwise : rank;
  }
  return typeof value === typeof otherwise ? (value as string | number) : otherwise;
}

function valueAt(doc: unknown, field: Field): unknown {
  return field.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    doc,
  );
}

function textOf(value: unknown): string {
  return value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
