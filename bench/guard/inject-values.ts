import type { JsonSchema } from "@fairlead/contract";
import type { FaultKind } from "../../packages/runtime/src/domain/guard/types.ts";
import type { Case, Faulty } from "./case.ts";

type Wrong = readonly [kind: FaultKind, how: string, value: unknown];

/** Arguments that do not fit: every kind that the schema of this call allows. */
export function valueFaults({ tools, name, arguments: args }: Case): Faulty[] {
  const schema = tools.find(({ spec }) => spec.name === name)?.spec.parameters ?? {};
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const faulty = (kind: FaultKind, how: string, value: object): Faulty => ({
    kind,
    how,
    name,
    text: JSON.stringify(value),
  });
  const faults = [
    faulty("extra", "invented", { ...args, unexpected_argument_77: 1 }),
    faulty("extra", "no value", { ...args, unexpected_argument_77: null }),
  ];
  for (const key of Object.keys(args)) {
    const { [key]: value, ...rest } = args;
    if (required.has(key)) faults.push(faulty("missing", "left out", rest));
    if (!Object.hasOwn(properties, `${key}x`))
      faults.push(faulty("extra", "misspelt", { ...rest, [`${key}x`]: value }));
    for (const [kind, how, wrong] of wrongValues(properties[key] ?? {}, value, required.has(key)))
      faults.push(faulty(kind, how, { ...args, [key]: wrong }));
  }
  for (const [key, property] of Object.entries(properties))
    if (!Object.hasOwn(args, key) && !required.has(key) && property["type"] !== undefined)
      faults.push(faulty("type", "null for nothing", { ...args, [key]: null }));
  return faults;
}

function wrongValues(schema: JsonSchema, value: unknown, required: boolean): Wrong[] {
  const wrong = [...wrongTypes(schema, value), ...wrongChoices(schema, value), ...wrongRanges(schema)];
  if (required && schema["type"] !== undefined) wrong.push(["type", "null", null]);
  return wrong;
}

function wrongTypes(schema: JsonSchema, value: unknown): Wrong[] {
  const values: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
    integer: [
      ["number as text", String(value)],
      ["number with a word", `${String(value)} items`],
      ["hexadecimal", "0x10"],
      ["leading zeros", "007"],
      ["word", "many"],
      ["fraction", 1.5],
      ["boolean", true],
      ["in a list", [value]],
      ["object", { value }],
    ],
    number: [
      ["number as text", String(value)],
      ["number with a unit", `${String(value)} km`],
      ["infinite", "Infinity"],
      ["empty", ""],
      ["boolean", false],
      ["in a list", [value]],
      ["object", { value }],
    ],
    boolean: [
      ["boolean as text", String(value)],
      ["yes", "yes"],
      ["number", 1],
      ["in a list", [value]],
    ],
    string: [
      ["number", 77],
      ["boolean", true],
      ["in a list", [value]],
      ["object", { value }],
    ],
    array: [
      ["text of it", JSON.stringify(value)],
      ["one item of it", Array.isArray(value) && !Array.isArray(value[0]) ? (value[0] ?? 77) : 77],
      ["object", { value }],
    ],
    object: [
      ["text of it", JSON.stringify(value)],
      ["in a list", [value]],
      ["number", 77],
    ],
  };
  const found = (values[String(schema["type"])] ?? []).map(([how, wrong]): Wrong => ["type", how, wrong]);
  const items = schema["items"] as JsonSchema | undefined;
  if (items !== undefined && Array.isArray(value) && value.length > 0)
    for (const [kind, how, wrong] of [...wrongTypes(items, value[0]), ...wrongChoices(items, value[0])])
      found.push([kind, `item: ${how}`, [wrong, ...value.slice(1)]]);
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    for (const [key, inner] of Object.entries(value))
      for (const [kind, how, wrong] of wrongTypes(properties[key] ?? {}, inner))
        found.push([kind, `field: ${how}`, { ...value, [key]: wrong }]);
  return found;
}

function wrongChoices(schema: JsonSchema, value: unknown): Wrong[] {
  const choices = schema["enum"];
  if (!Array.isArray(choices) || typeof value !== "string") return [];
  const others = [
    ["invented", "none of these 77"],
    ["capitals", value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase()],
    ["one letter more", `${value}s`],
  ] as const;
  return others
    .filter(([, other]) => !choices.includes(other))
    .map(([how, other]): Wrong => ["enum", how, other]);
}

function wrongRanges(schema: JsonSchema): Wrong[] {
  const wrong: Wrong[] = [];
  if (typeof schema["maximum"] === "number") wrong.push(["schema", "too large", schema["maximum"] + 1]);
  if (typeof schema["minimum"] === "number") wrong.push(["schema", "too small", schema["minimum"] - 1]);
  if (schema["format"] === "date") wrong.push(["schema", "no such date", "2024-02-31"]);
  return wrong;
}
