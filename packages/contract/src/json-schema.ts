import { z } from "zod";
import type { EventType } from "./events.ts";
import { EVENTS } from "./events.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that are named once and referred to. */
export type Named = ReadonlyMap<unknown, string>;

/**
 * A zod schema as JSON Schema 2020-12, without the `$schema` line. `io` says which side of a
 * transformation is meant: what a caller writes, or what a reader gets.
 */
export function jsonSchema(schema: z.ZodType, io: "input" | "output", named: Named = new Map()): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: made, path }) {
      const name = path.length === 0 ? undefined : named.get(zodSchema);
      if (name === undefined) return;
      for (const key of Object.keys(made)) delete made[key];
      made.$ref = `#/components/schemas/${name}`;
    },
  });
  return rest;
}

/** The data of one event type, for readers in other languages. */
export function eventSchema(type: EventType): JsonSchema {
  const { doc, data } = EVENTS[type];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: type,
    description: doc,
    ...jsonSchema(data, "output"),
  };
}
