import type { RouteDef } from "@fairlead/contract";
import { jsonSchema, RAW_BODIES, ROUTES } from "@fairlead/contract";
import { fieldRows, NOTE, page, table } from "./describe.ts";

/** docs/reference/routes.md */
export function routesPage(): string {
  const routes = Object.values<RouteDef>(ROUTES).toSorted(byAddress);
  return page(
    "# Routes",
    NOTE,
    [
      "Every address of the server, from the table in `packages/contract`. A running server has the same as OpenAPI 3.1",
      "at `/openapi.json` and as a page at `/docs`.",
    ].join("\n"),
    table(
      ["address", "what it does", "who may"],
      routes.map((route) => [`\`${address(route)}\``, route.summary, who(route)]),
    ),
    ...routes.map(section),
  );
}

function byAddress(a: RouteDef, b: RouteDef): number {
  const [left, right] = [`${a.path} ${a.method}`, `${b.path} ${b.method}`];
  return left < right ? -1 : 1;
}

function section(route: RouteDef): string {
  const parts = [`## ${address(route)}`, `${route.summary}. ${route.doc}`.replace("?.", "?")];
  parts.push(`Who may: ${who(route)}. Answers ${route.status}${answer(route)}.`);
  if (route.idempotent) parts.push("Takes an `Idempotency-Key`.");
  for (const [title, schema, io] of [
    ["path", route.params, "output"],
    ["query", route.query, "output"],
    ["body", route.body, "input"],
  ] as const) {
    if (schema) parts.push(table([title, "value", "required"], fieldRows(jsonSchema(schema, io))));
  }
  if (route.errors.length > 0) {
    parts.push(`Errors: ${route.errors.map((code) => `\`${code}\``).join(", ")}.`);
  }
  return parts.join("\n\n");
}

function address(route: RouteDef): string {
  return `${route.method} ${route.path}`;
}

function who(route: RouteDef): string {
  if (route.role === null) return "anyone";
  return route.agents ? `${route.role}, or an agent for its own sessions` : route.role;
}

function answer(route: RouteDef): string {
  const body = route.reply;
  const type = typeof body === "string" ? RAW_BODIES[body] : "application/json";
  const stream = route.streams ? ", or 200 with `text/event-stream` when `Accept` asks for it" : "";
  return body === null ? " without a body" : ` with \`${type}\`${stream}`;
}
