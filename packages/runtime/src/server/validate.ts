import type { ErrorCode, RouteDef } from "@fairlead/contract";
import { FairleadError } from "@fairlead/contract";
import type { z } from "zod";
import type { Issue } from "./errors.ts";
import { badRequest, sentence } from "./errors.ts";

export interface Raw {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type Part = keyof Raw;

/** Parses the three parts of a request by its route's schemas, or throws what is wrong with them. */
export function validate(route: RouteDef, raw: Raw): Raw {
  const issues: { issue: Issue; code: ErrorCode }[] = [];
  const part = (name: Part, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) issues.push(...told(name, issue));
    return undefined;
  };
  if (route.body === undefined && !isEmpty(raw.body)) {
    throw badRequest("body", "This address takes no body.");
  }
  const parsed = {
    params: part("params", route.params, raw.params),
    query: part("query", route.query ?? undefined, raw.query),
    body: part("body", route.body, raw.body ?? {}),
  };
  const first = issues[0];
  if (first === undefined) return parsed;
  const same = issues.every(({ code }) => code === first.code);
  const code = same ? first.code : "bad_request";
  throw new FairleadError(code, {
    // A malformed id is best told by what an id is.
    ...(code === "invalid_id" ? {} : { message: sentence(first.issue) }),
    details: { issues: issues.map(({ issue }) => issue) },
  });
}

function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0;
}

const CURSORS = new Set(["after", "before", "cursor"]);

function told(part: Part, issue: z.core.$ZodIssue): { issue: Issue; code: ErrorCode }[] {
  const path = issue.path.map((step) => clip(String(step)));
  const field = [part, ...path].join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      issue: { field: `${field}.${clip(key)}`, problem: "Not a name that this address takes." },
      code: "bad_request",
    }));
  }
  return [
    {
      issue: { field, problem: issue.message },
      code: codeOf(part, path, issue.code),
    },
  ];
}

function codeOf(part: Part, path: readonly string[], kind: string): ErrorCode {
  const [name = ""] = path;
  if (part === "params" || name === "session_id") return "invalid_id";
  // A refinement (`after` and `before` together) is about the request, not about the cursor.
  if (part === "query" && CURSORS.has(name) && kind !== "custom") return "invalid_cursor";
  return "bad_request";
}

/** Names come from the client: enough of one to recognise it. */
function clip(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}

const KEY = /^[\x21-\x7e]{1,200}$/;

/** The `Idempotency-Key` header, checked; undefined when there is none. */
export function idempotencyKey(header: unknown): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && KEY.test(header)) return header;
  throw badRequest("header.idempotency-key", "1 to 200 visible ASCII characters, no spaces.");
}

const CURSOR = /^\d{1,16}$/;

/**
 * Where to go on from. `Last-Event-ID` wins over `?after=`: a browser that reconnects sends the
 * first URL again, and the header says how far it came since.
 */
export function resumeCursor(header: unknown, after: number | "latest" | undefined): number | "latest" {
  if (header === undefined || header === "") return after ?? 0;
  const value = typeof header === "string" && CURSOR.test(header) ? Number(header) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw invalidCursor("header.last-event-id", "Not an id of an event of this stream.");
}

export function invalidCursor(field: string, problem: string, more: object = {}): FairleadError {
  return new FairleadError("invalid_cursor", {
    message: sentence({ field, problem }),
    details: { issues: [{ field, problem }], ...more },
  });
}
