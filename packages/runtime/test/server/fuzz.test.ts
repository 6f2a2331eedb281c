import { connect } from "node:net";
import { ERRORS, ROUTES, type RouteDef } from "@fairlead/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Site, startSite } from "./support.ts";

let site: Site;
let session: string;
beforeAll(async () => {
  site = await startSite();
  session = await site.session();
  await site.write(session as never, 5);
});
afterAll(() => site.close());

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
      socket.end(Buffer.concat([Buffer.from(head, "latin1"), body])),
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

/** Everything the log holds, as one number: each request may only change it by succeeding. */
async function position(): Promise<number> {
  for (let next = 0; ;) {
    const page = await site.runtime.log.readAll({ after: next, limit: 1000 });
    if (page.events.length === 0) return next;
    next = page.next;
  }
}

test("whatever is asked, the answer is never a failure, and a refusal is JSON with a code and changes nothing", async () => {
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
        const method = usual ? route.method : odd;
        const path = route.path.replaceAll(/\{\w+\}/g, id.replace("@session", session));
        const search = new URLSearchParams(
          pairs.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]),
        ).toString();
        const bytes = Buffer.from(text, "utf8");
        const lines = [
          `${method} ${path}${search === "" ? "" : `?${search}`} HTTP/1.1`,
          `Host: 127.0.0.1:${site.port}`,
          ...(role === "none" ? [] : [`Authorization: Bearer ${site.tokens[role as "admin"]}`]),
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
        const before = await position();
        const answer = await send(lines.join("\r\n"), bytes);
        expect(answer).toBeDefined();
        const { status, body: got, type } = answer!;
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
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
        // Turns that were let in earlier may still be writing.
        if (!(await turnsOpen())) expect(await position()).toBe(before);
      },
    ),
    { numRuns: 600 },
  );
  expect(site.logged.filter(({ level }) => level === "error")).toEqual([]);
}, 60_000);

let turned = false;
async function turnsOpen(): Promise<boolean> {
  // A request that was let in may also have purged the session.
  const stream = await site.runtime.log.stream(session as never);
  turned ||= stream?.state === "purged" || (stream?.head_seq ?? 0) > 6;
  return turned;
}
