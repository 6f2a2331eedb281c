import fc from "fast-check";
import type { EventData, EventType, RawEvent, StoredEvent } from "../src/index.ts";
import { EVENT_TYPES, EVENTS, eventSchema } from "../src/index.ts";

// Arbitrary events, made from the catalogue's own JSON Schema: a new entry is covered without another word here.

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

/** As it comes back from storage: without `-0`, which JSON does not keep. */
function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const json = fc.jsonValue({ maxDepth: 2 }).map(stored);
const LARGE = 0x7fffffff;
const key = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });

function arbitraryFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(arbitraryFor));
  const { type } = schema;
  if (typeof type === "object") return fc.oneof(...type.map((one) => arbitraryFor({ ...schema, type: one })));
  switch (type) {
    case undefined:
      return json;
    case "null":
      return fc.constant(null);
    case "string":
      return schema.pattern === undefined
        ? fc.string({ minLength: schema.minLength ?? 0, maxLength: 20 })
        : fc.stringMatching(new RegExp(schema.pattern));
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        min: Math.max(schema.minimum ?? -1000, -1000),
        max: Math.min(schema.maximum ?? LARGE, LARGE),
      });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: 1e6, noNaN: true }).map(stored);
    case "array":
      return fc.array(arbitraryFor(schema.items ?? {}), { maxLength: 3 });
    case "object":
      return arbitraryObject(schema);
    default:
      throw new Error(`The catalogue uses the type ${type}, which has no arbitrary yet.`);
  }
}

function arbitraryObject(schema: Schema): fc.Arbitrary<object> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, s]) => [name, arbitraryFor(s)]);
  const known: fc.Arbitrary<object> = fc.record(
    Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>,
    { requiredKeys: [...(schema.required ?? [])] },
  );
  const open = schema.additionalProperties;
  if (open === false) return known.map(stored);
  return fc
    .tuple(fc.dictionary(key, arbitraryFor(open ?? {}), { maxKeys: 2 }), known)
    .map(([more, object]) => stored({ ...more, ...object }));
}

export function arbitraryData<T extends EventType>(type: T): fc.Arbitrary<EventData<T>> {
  return arbitraryFor(eventSchema(type)) as fc.Arbitrary<EventData<T>>;
}

const nameOrNull = fc.option(fc.string({ minLength: 1, maxLength: 12 }), { nil: null });

const envelope = fc.record({
  id: fc.stringMatching(/^evt_[0-9a-z]{26}$/),
  seq: fc.integer({ min: 1 }),
  stream: fc.stringMatching(/^ses_[0-9a-z]{26}$/),
  at: fc
    .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  turn_id: nameOrNull,
  agent_id: nameOrNull,
  cause: nameOrNull,
});

/** A stored event of the catalogue. */
export function arbitraryEvent(types: readonly EventType[] = EVENT_TYPES): fc.Arbitrary<StoredEvent> {
  return fc.constantFrom(...types).chain((type) =>
    fc.tuple(envelope, arbitraryData(type)).map(([rest, data]) => {
      const { v, owner } = EVENTS[type];
      return { ...rest, type, v, owner, data } as StoredEvent;
    }),
  );
}

/** An event of a newer writer: of a type that is not in the catalogue, with any data. */
export function arbitraryRawEvent(): fc.Arbitrary<RawEvent> {
  const type = fc
    .tuple(fc.constantFrom("runtime", "agent", "other"), fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/))
    .map(([owner, rest]) => `${owner}.future.${rest}`);
  return fc
    .tuple(envelope, type, json)
    .map(([rest, name, data]) => ({ ...rest, type: name, v: 1, owner: "runtime", data }) as RawEvent);
}
