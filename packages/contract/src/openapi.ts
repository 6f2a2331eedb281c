import type { z } from "zod";
import type { Body, RouteDef } from "./define-route.ts";
import { RAW_BODIES } from "./define-route.ts";
import type { ErrorCode } from "./errors.ts";
import { ERRORS } from "./errors.ts";
import { SessionState } from "./events/session.ts";
import type { JsonSchema, Named } from "./json-schema.ts";
import { jsonSchema } from "./json-schema.ts";
import { commonErrors } from "./routes.ts";
import { QuestionRow, SessionRow, TokenRow } from "./rows.ts";

/** The cookie that a signed-in browser carries. */
export const SESSION_COOKIE = "fairlead_session";

export interface OpenApi {
  readonly openapi: "3.1.1";
  readonly info: JsonSchema;
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

const SCHEMAS = { SessionState, SessionRow, QuestionRow, TokenRow };
const NAMED: Named = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [schema, name]));

/** The table of routes as an OpenAPI 3.1 document. Pure: the same table gives the same document. */
export function openApi(routes: Readonly<Record<string, RouteDef>>, version: string): OpenApi {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, route] of Object.entries(routes)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Fairlead",
      version,
      summary: "One durable log of what agents do, served live and resumable.",
      license: { name: "MIT", identifier: "MIT" },
    },
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Made by `fairlead token create`." },
        cookie: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
      },
      schemas: {
        Error: errorSchema(),
        ...Object.fromEntries(
          Object.entries(SCHEMAS).map(([name, s]) => [name, jsonSchema(s, "output", NAMED)]),
        ),
      },
    },
  };
}

function operation(name: string, route: RouteDef): JsonSchema {
  const roles = [...(route.agents ? ["agent"] : []), ...(route.role === null ? [] : [route.role])];
  return {
    operationId: name,
    summary: route.summary,
    description: route.doc,
    ...(route.role === null ? {} : { "x-roles": roles }),
    security: route.role === null ? [] : [{ token: [] }, { cookie: [] }],
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query"), ...headers(route)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(route.body, "input", NAMED) } },
      },
    }),
    responses: responses(route),
  };
}

function parameters(schema: z.ZodObject | undefined, place: "path" | "query"): JsonSchema[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const json = jsonSchema(field as z.ZodType, "output");
    return {
      name,
      in: place,
      required: !(field as z.ZodType).safeParse(undefined).success,
      ...(json.type === "array" && { style: "form", explode: false }),
      schema: json,
    };
  });
}

function headers(route: RouteDef): JsonSchema[] {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  return [
    ...(route.reply === "sse"
      ? [header("Last-Event-ID", "The `id` of the last event received. Wins over `after`.")]
      : []),
    ...(route.idempotent
      ? [header("Idempotency-Key", "The same key and body give the first answer again.")]
      : []),
  ];
}

function responses(route: RouteDef): JsonSchema {
  const byStatus: Record<string, JsonSchema> = {
    [route.status]: { description: route.summary, ...content(route.reply) },
  };
  if (route.streams) byStatus[200] = { description: "The events as they come.", ...content("sse") };
  const codes = new Set([...route.errors, ...commonErrors(route)]);
  for (const [status, group] of groupByStatus(codes)) {
    byStatus[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n"),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return byStatus;
}

function groupByStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of [...codes].toSorted()) {
    const { status } = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function content(body: Body): JsonSchema {
  if (body === null) return {};
  if (typeof body === "string") {
    return { content: { [RAW_BODIES[body]]: { schema: { type: "string" } } } };
  }
  const name = NAMED.get(body);
  const schema = name ? { $ref: `#/components/schemas/${name}` } : jsonSchema(body, "output", NAMED);
  return { content: { "application/json": { schema } } };
}

function errorSchema(): JsonSchema {
  return {
    type: "object",
    properties: {
      code: { type: "string", enum: Object.keys(ERRORS).toSorted() },
      message: { type: "string" },
      hint: { type: "string" },
      request_id: { type: "string" },
      details: {},
    },
    required: ["code", "message", "hint", "request_id"],
  };
}
