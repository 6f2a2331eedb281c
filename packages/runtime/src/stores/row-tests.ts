import type { Field, FieldOrder, RowTest } from "../ports/row-query.ts";

/** The same as the statements of the databases say, for rows that are in memory. */
export function fits(
  doc: string,
  tests: readonly RowTest[],
  textOf: (mark: string) => string | undefined,
): boolean {
  const parsed: unknown = JSON.parse(doc);
  return tests.every((test) => {
    if ("words" in test) {
      const text = textOf(test.mark) ?? doc.toLowerCase();
      return test.words.every((word) => text.includes(word));
    }
    if ("noted" in test) {
      const noted = valueAt(parsed, [...test.noted, test.key]);
      return numberOf(noted) < numberOf(valueAt(parsed, test.below)) === test.is;
    }
    const value = valueAt(parsed, test.field);
    if ("in" in test) return typeof value === "string" && test.in.includes(value);
    return typeof value !== "string" || !test.not.includes(value);
  });
}

/** By what it is sorted. */
export function keyOf(doc: string, { field, otherwise, ranks }: FieldOrder): string | number {
  const value = valueAt(JSON.parse(doc), field);
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

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
