import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RouteDef } from "../src/index.ts";
import { EVENT_TYPES, EVENTS, eventSchema, openApi, ROUTES } from "../src/index.ts";
import { arbitraryData } from "./arbitrary.ts";

const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
const document = openApi(ROUTES, "0.0.0");

/** Every value in the document, with the keys that lead to it. */
function* walk(value: unknown, path: readonly string[] = []): Generator<[readonly string[], unknown]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key]);
}

describe("the OpenAPI document", () => {
  test("has each route once, under its name", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, o]) => [o.operationId, `${method.toUpperCase()} ${path}`]),
    );
    const routes = Object.entries<RouteDef>(ROUTES).map(([name, r]) => [name, `${r.method} ${r.path}`]);
    expect(operations.toSorted()).toEqual(routes.toSorted());
  });

  test("refers only to what it has", () => {
    const refs = [...walk(document)].filter(([path]) => path.at(-1) === "$ref").map(([, ref]) => ref);
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    expect(new Set(refs)).toEqual(
      new Set(Object.keys(schemas).map((name) => `#/components/schemas/${name}`)),
    );
  });

  test("holds only valid JSON Schema", () => {
    const schemas = [...walk(document)].filter(([path]) => path.at(-1) === "schema");
    expect(schemas.length).toBeGreaterThan(50);
    const bad = schemas.filter(([, schema]) => ajv.validateSchema(schema as object) !== true);
    expect(bad.map(([path]) => path.join("/"))).toEqual([]);
  });

  test("asks for a credential everywhere but at the public routes", () => {
    const open = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => (operation.security as unknown[]).length === 0)
      .map((operation) => operation.operationId);
    expect(open).toEqual([
      "getHealth",
      "getReadiness",
      "getOpenApi",
      "getDocs",
      "listStreamEvents",
      "signIn",
    ]);
  });

  test("says how to resume, repeat and list", () => {
    const turns = document.paths["/chat/sessions/{id}/turns"]?.post;
    const stream = document.paths["/sessions/{id}/events/stream"]?.get;
    const events = document.paths["/sessions/{id}/events"]?.get;
    expect(turns?.parameters).toContainEqual(expect.objectContaining({ name: "Idempotency-Key" }));
    expect(turns?.responses).toMatchObject({
      202: {},
      200: { content: { "text/event-stream": {} } },
      409: {},
    });
    expect(stream?.parameters).toContainEqual(expect.objectContaining({ name: "Last-Event-ID" }));
    expect(events?.parameters).toContainEqual(
      expect.objectContaining({ name: "types", in: "query", required: false, explode: false }),
    );
    expect(events?.parameters).toContainEqual(
      expect.objectContaining({
        name: "after",
        schema: expect.objectContaining({ type: "integer" }),
      }),
    );
  });
});

describe("JSON Schema of events", () => {
  test.each(EVENT_TYPES)("%s agrees with the validator", (type) => {
    const validate = ajv.compile({ ...eventSchema(type) });
    const judge = (data: unknown) => [validate(data), EVENTS[type].data.safeParse(data).success];
    fc.assert(
      fc.property(arbitraryData(type), fc.string({ maxLength: 5 }), (data, key) => {
        expect(judge(data)).toEqual([true, true]);
        const [first] = Object.keys(data);
        const { [first as keyof typeof data]: _, ...less } = data;
        for (const changed of [{ ...data, [`_${key}`]: 1 }, less, { ...data, [first ?? "x"]: null }]) {
          const [bySchema, byZod] = judge(changed);
          // AHP's readers take null as unset; its JSON Schema is for writers, who leave it out.
          if (byZod === false) expect(bySchema).toBe(false);
        }
      }),
      { numRuns: 15 },
    );
  });

  test("names its type and what it means", () => {
    expect(eventSchema("agent.output.delta")).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "agent.output.delta",
      required: ["text"],
    });
  });
});
