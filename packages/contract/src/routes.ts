import type { z } from "zod";
import type { RouteDef } from "./define-route.ts";
import type { ErrorCode } from "./errors.ts";
import { AUTH_ROUTES } from "./routes/auth.ts";
import { BACKGROUND_ROUTES } from "./routes/background.ts";
import { CHAT_ROUTES } from "./routes/chat.ts";
import { ENGINE_ROUTES } from "./routes/engines.ts";
import { EVENT_ROUTES } from "./routes/events.ts";
import { GRANT_ROUTES } from "./routes/grants.ts";
import { HOOK_ROUTES } from "./routes/hooks.ts";
import { INBOX_ROUTES } from "./routes/inbox.ts";
import { MODEL_ROUTES } from "./routes/models.ts";
import { QUESTION_ROUTES } from "./routes/questions.ts";
import { SESSION_ROUTES } from "./routes/sessions.ts";
import { SYSTEM_ROUTES } from "./routes/system.ts";
import { TOOL_ROUTES } from "./routes/tools.ts";
import { WORKSPACE_ROUTES } from "./routes/workspaces.ts";

/** Every address the server answers at. The server, the client, OpenAPI and the reference page are derived from it. */
export const ROUTES = {
  ...SYSTEM_ROUTES,
  ...AUTH_ROUTES,
  ...CHAT_ROUTES,
  ...SESSION_ROUTES,
  ...BACKGROUND_ROUTES,
  ...ENGINE_ROUTES,
  ...EVENT_ROUTES,
  ...QUESTION_ROUTES,
  ...GRANT_ROUTES,
  ...TOOL_ROUTES,
  ...MODEL_ROUTES,
  ...HOOK_ROUTES,
  ...INBOX_ROUTES,
  ...WORKSPACE_ROUTES,
} satisfies Record<string, RouteDef>;

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

type SchemaOf<N extends RouteName, K extends "params" | "query" | "body"> = Routes[N] extends {
  readonly [P in K]: infer S extends z.ZodType;
}
  ? S
  : never;

/** As the caller gives them and the handler reads them. */
export type RouteParams<N extends RouteName> = z.output<SchemaOf<N, "params">>;
/** As the handler reads it, defaults filled in. A caller gives any part of it, as text. */
export type RouteQuery<N extends RouteName> = z.output<SchemaOf<N, "query">>;
export type RouteBody<N extends RouteName> = z.output<SchemaOf<N, "body">>;
/** Never for a reply that is not JSON. */
export type RouteReply<N extends RouteName> = Routes[N]["reply"] extends infer S extends z.ZodType
  ? z.output<S>
  : never;

/** What any route may answer before it gets to its own work. */
export function commonErrors(route: RouteDef): readonly ErrorCode[] {
  const codes: ErrorCode[] = ["bad_host", "bad_origin", "headers_too_large", "internal"];
  if (route.role !== null) codes.push("unauthorized", "forbidden", "store_unavailable");
  if (route.params ?? route.query ?? route.body) codes.push("bad_request");
  if (route.body) codes.push("payload_too_large", "unsupported_media_type", "shutting_down");
  return codes;
}
