import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "@fairlead/contract";
import type { Arguments, Case, Ran } from "./case.ts";
import { recordingTool } from "./case.ts";

/** What the Berkeley Function Calling Leaderboard calls a type, and what JSON Schema does. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  dict: "object",
  float: "number",
  tuple: "array",
  any: undefined,
};
const KEPT = ["description", "enum", "required", "format", "minimum", "maximum", "minItems", "maxItems"];
const FILES = ["simple_python", "multiple", "parallel", "parallel_multiple"];

type Accepted = Readonly<Record<string, readonly unknown[]>>;

export interface Question {
  readonly id: string;
  readonly function: readonly { name: string; description: string; parameters: JsonSchema }[];
}

export interface Answer {
  readonly id: string;
  readonly ground_truth: readonly Readonly<Record<string, Accepted>>[];
}

/** Throws when the directory does not have the files. */
export function readBfcl(dir: string): { questions: Question[]; answers: Answer[] } {
  const read = <T>(file: string): T[] =>
    readFileSync(join(dir, file), "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as T);
  return {
    questions: FILES.flatMap((name) => read<Question>(`BFCL_v4_${name}.json`)),
    answers: FILES.flatMap((name) => read<Answer>(join("possible_answer", `BFCL_v4_${name}.json`))),
  };
}

/** Every accepted call: each with the first accepted values, and once more for each other value of an argument. */
export function casesOf(questions: readonly Question[], answers: readonly Answer[], ran: Ran[]): Case[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return answers.flatMap(({ id, ground_truth }) => {
    const question = byId.get(id);
    if (question === undefined) throw new Error(`No question has the id ${id}.`);
    const tools = question.function.map(({ name, description, parameters }) =>
      recordingTool({ name, description, parameters: schemaFrom(parameters) }, ran),
    );
    return ground_truth.flatMap((call, n) =>
      Object.entries(call).flatMap(([name, accepted]) =>
        variants(accepted).map((args, v) => ({ id: `${id}#${n}.${v}`, tools, name, arguments: args })),
      ),
    );
  });
}

export function schemaFrom(schema: JsonSchema): JsonSchema {
  const written = String(schema["type"]);
  const type = Object.hasOwn(TYPES, written) ? TYPES[written] : written;
  const made: Record<string, unknown> = type === undefined ? {} : { type };
  for (const key of KEPT) if (Object.hasOwn(schema, key)) made[key] = schema[key];
  const properties = schema["properties"] as Readonly<Record<string, JsonSchema>> | undefined;
  if (properties !== undefined)
    made["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, schemaFrom(property)]),
    );
  if (schema["items"] !== undefined) made["items"] = schemaFrom(schema["items"] as JsonSchema);
  return made;
}

function variants(accepted: Accepted): Arguments[] {
  const first = plain(accepted);
  const others = Object.entries(accepted).flatMap(([name, values]) =>
    values.slice(1).map((value) => plain({ ...accepted, [name]: [value] })),
  );
  return [first, ...others];
}

/** With one value for each argument. An empty text means that the argument is left out. */
function plain(accepted: Accepted): Arguments {
  return Object.fromEntries(
    Object.entries(accepted).flatMap(([name, [value]]) => (value === "" ? [] : [[name, unwrapped(value)]])),
  );
}

/** In objects every field has a list of accepted values of its own. */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  return typeof value === "object" && value !== null ? plain(value as Accepted) : value;
}
