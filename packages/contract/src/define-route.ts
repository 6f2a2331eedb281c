import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./events/token.ts";

/** A body that is not JSON. `sse` is a stream of events that stays open. */
export const RAW_BODIES = {
  sse: "text/event-stream",
  text: "text/plain",
  html: "text/html",
  bytes: "application/octet-stream",
} as const;
export type RawBody = keyof typeof RAW_BODIES;

export type Body = z.ZodType | RawBody | null;

export interface RouteDef {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  readonly doc: string;
  /** The least role that may call it; null means that it needs no credential. */
  readonly role: Exclude<Role, "agent"> | null;
  /** Whether an agent may call it too, for the sessions it made. */
  readonly agents: boolean;
  readonly params?: z.ZodObject;
  /** Values come as text. Only these names are taken. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly reply: Body;
  /** Answers with a stream of events instead, when `Accept` asks for one. */
  readonly streams?: true;
  /** Takes an `Idempotency-Key`: the same key and body give the first answer again. */
  readonly idempotent?: true;
  /** Beyond those that every route may give. */
  readonly errors: readonly ErrorCode[];
}

/** Declares one route. Keeps the schemas' types, so that clients and handlers are typed by the table. */
export function route<const R extends RouteDef>(def: R): R {
  return def;
}
