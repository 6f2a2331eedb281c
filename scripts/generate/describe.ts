import type { JsonSchema } from "@fairlead/contract";

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly additionalProperties?: unknown;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};

/** A schema in a few words, for a table cell. */
function describe(schema: JsonSchema): string {
  const { type, const: constant, enum: values, anyOf, $ref, items } = schema as Schema;
  if ($ref !== undefined) return $ref.replace(/^.*\//, "");
  if (constant !== undefined) return code(constant);
  if (values !== undefined) return values.map(code).join(", ");
  if (anyOf !== undefined) return anyOf.map((one) => describe(one as JsonSchema)).join(" or ");
  if (typeof type === "object") return type.map((one) => WORDS[one] ?? one).join(" or ");
  if (type === "array") return `list of ${describe((items ?? {}) as JsonSchema)}`;
  return type === undefined ? "any JSON" : (WORDS[type] ?? type);
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

/** Rows of a table of fields: name, what it is, whether it must be there. */
export function fieldRows(schema: JsonSchema): string[][] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    describe(field as JsonSchema) +
      (field.default === undefined ? "" : `; ${code(field.default)} if left out`),
    required.includes(name) && field.default === undefined ? "yes" : "",
  ]);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Sections apart by an empty line, and a newline at the end. */
export function page(...sections: readonly string[]): string {
  return `${sections.join("\n\n")}\n`;
}

export const NOTE = "<!-- Written by `npm run generate` from packages/contract. Do not edit. -->";
