import { connect } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { ERRORS, ROUTES, type RouteDef, type SessionId } from "@fairlead/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoreChoice } from "../../src/create-runtime.ts";
import type { StreamInfo } from "../../src/ports/event-log.ts";
import { freshDatabase } from "../support/postgres.ts";
import { type Site, startSite } from "./support.ts";

let site: Site;
let session: SessionId;
let tokens: Record<string, string>;
let made: StreamInfo | undefined;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

/** Past fetch, which would mend or refuse half of it. One request, one connection. */
function send(head: string, body: Buffer): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(site.port, "127.0.0.1", () =>
      // Not ended: Node takes that for a client that has gone, and one that waits has not.
      socket.write(Buffer.concat([Buffer.from(head, "latin1"), body])),
    );
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      // A stream stays open; that it began is enough.
      if (chunk.includes("retry: 1000")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const at = text.indexOf("\r\n\r\n");
      if (at === -1) return resolve(undefined);
      const type = /\ncontent-type: ([^\r]*)/i.exec(text)?.[1] ?? "";
      resolve({ status: Number(text.split(" ", 2)[1]), body: text.slice(at + 4), type });
    });
  });
}

const routes = Object.values(ROUTES) as RouteDef[];
const word = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "..",
    ".",
    "%00",
    "%2e%2e%2f",
    "system",
    "null",
    "undefined",
    "__proto__",
    "-1",
    "0",
    "1e9",
    "99999999999999999999",
    "NaN",
    "ses_",
    "apr_'--",
    "😀",
    "\\",
    "{{7*7}}",
  ),
  fc.integer().map(String),
);
const segment = fc.oneof(
  { weight: 3, arbitrary: word.map((text) => encodeURIComponent(text.toWellFormed())) },
  { weight: 1, arbitrary: word.map((text) => text.replaceAll(/[\s?#]/g, "")) },
  { weight: 3, arbitrary: fc.constant("@session") },
);
const query = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        "after",
        "before",
        "limit",
        "cursor",
        "tier",
        "face",
        "types",
        "history",
        "state",
        "kind",
        "session_id",
        "status",
        "reason",
        "code",
      ),
      word,
    ),
    word,
  ),
  { maxLength: 4 },
);
const body = fc.oneof(
  fc.constant(""),
  fc.json({ maxDepth: 4 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  fc
    .record(
      {
        input: fc.oneof(word, fc.integer()),
        title: word,
        alias: word,
        project: word,
        model: word,
        actor: word,
        role: word,
        decision: word,
        up_to: fc.oneof(fc.integer(), fc.double()),
        session_id: word,
        expires_at: word,
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);
const header = fc.tuple(
  fc.constantFrom(
    "last-event-id",
    "idempotency-key",
    "accept",
    "content-type",
    "x-request-id",
    "cookie",
    "origin",
    "content-encoding",
    "expect",
    "if-none-match",
    "range",
    "sec-fetch-site",
    "upgrade",
    "x-http-method-override",
  ),
  fc.oneof(
    word.map((text) => text.replaceAll(/[\r\n\0]/g, "")),
    fc.constantFrom("application/json", "text/event-stream", "gzip", "websocket"),
  ),
);

/** A session as it was made. One that a request has changed is left alone, once its turn is over. */
async function freshSession(): Promise<void> {
  const now = made && (await site.runtime.log.stream(session));
  if (now !== undefined && isDeepStrictEqual(now, made)) return;
  if (now?.state === "open") await site.idle(session);
  session = await site.session();
  await site.write(session, 5);
  made = await site.runtime.log.stream(session);
}

/** What a refused request must not change. */
async function stateOfAll(): Promise<unknown> {
  return [await site.runtime.log.lastPosition(), await site.runtime.log.stream(session)];
}

const stores: readonly (readonly [name: string, runs: number, choice: () => Promise<StoreChoice>])[] = [
  ["memory", 600, async () => "memory"],
  ["PostgreSQL", 100, async () => ({ postgres: await freshDatabase() })],
];

test.each(stores)(
  "over %s: whatever is asked, the answer is never a failure, and a refusal is JSON with a code and changes nothing",
  async (_name, numRuns, choice) => {
    site = await startSite({ store: await choice() });
    tokens = { ...site.tokens };
    made = undefined;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom("GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH"),
        fc.boolean(),
        segment,
        query,
        body,
        fc.array(header, { maxLength: 3 }),
        fc.constantFrom("admin", "agent", "viewer", "none"),
        async (route, odd, usual, id, pairs, text, headers, role) => {
          await freshSession();
          const method = usual ? route.method : odd;
          const path = route.path.replaceAll(/\{\w+\}/g, id.replace("@session", session));
          const search = new URLSearchParams(
            pairs.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]),
          ).toString();
          const bytes = Buffer.from(text, "utf8");
          const lines = [
            `${method} ${path}${search === "" ? "" : `?${search}`} HTTP/1.1`,
            `Host: 127.0.0.1:${site.port}`,
            ...(role === "none" ? [] : [`Authorization: Bearer ${tokens[role]}`]),
            ...(text === "" ? [] : ["Content-Type: application/json"]),
            ...headers.map(
              ([name, value]) =>
                `${name}: ${Buffer.from(value)
                  .toString("latin1")
                  .replaceAll(/[^\x20-\x7e\x80-\xff]/g, "")}`,
            ),
            `Content-Length: ${bytes.length}`,
            "Connection: close",
            "",
            "",
          ];
          const before = await stateOfAll();
          const answer = await send(lines.join("\r\n"), bytes);
          expect(answer).toBeDefined();
          const { status, body: got, type } = answer!;
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
          // Signing out works: whoever did it needs a new token.
          if (status === 204 && path === ROUTES.signOut.path)
            tokens[role] = (await site.token(role as "admin")).secret;
          if (status < 400) return;
          if (method !== "HEAD" && !type.startsWith("text/html")) {
            const error = JSON.parse(got) as Record<string, unknown>;
            expect(Object.keys(ERRORS)).toContain(error["code"]);
            expect(error).toMatchObject({
              message: expect.any(String),
              hint: expect.any(String),
              request_id: expect.any(String),
            });
            expect(got).not.toMatch(/node_modules|\.ts:\d+|at async/);
          }
          expect(await stateOfAll()).toEqual(before);
          refused += 1;
        },
      ),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns / 3);
    expect(site.logged.filter(({ level }) => level === "error")).toEqual([]);
    await site.close();
  },
  60_000,
);
