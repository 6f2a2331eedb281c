import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DECISIONS } from "../src/conformance/samples/decisions.ts";
import { eventOf, HELLO } from "../src/conformance/samples/messages.ts";
import { scriptedHarness } from "../src/conformance/scripted-harness.ts";
import type { BlockingType, EventType } from "../src/index.ts";
import {
  AHP_EVENTS,
  AhpError,
  EVENT_TYPES,
  linkPair,
  multiplex,
  RpcNotification,
  RpcRequest,
  RpcResponse,
} from "../src/index.ts";
import { readAnswer } from "../src/rpc/answer.ts";
import { readIncoming } from "../src/rpc/read.ts";

const RUNS = { numRuns: 400 };

function greeted() {
  const connection = scriptedHarness().connect({ transport: "fuzz", context: undefined });
  const hello = { jsonrpc: "2.0", id: "h", method: "ahp/handshake", params: HELLO };
  void connection.receive(JSON.stringify(hello));
  return connection;
}

/** Whatever comes, the reply is a well-formed answer, nothing, or a refusal. */
async function isSound(text: string): Promise<void> {
  const reply = await greeted().receive(text);
  if (typeof reply !== "string") return;
  const answer = RpcResponse.parse(JSON.parse(reply));
  expect((answer.result === undefined) !== (answer.error === undefined)).toBe(true);
}

/** A good message with one thing in it replaced, removed or added. */
const spoiled = fc
  .record({
    type: fc.constantFrom(...EVENT_TYPES),
    method: fc.constantFrom("ahp/event", "ahp/batch", "ahp/handshake", "ahp/query"),
    hasId: fc.boolean(),
    where: fc.nat(),
    what: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
  })
  .map(({ type, method, hasId, where, what }) => {
    const message = {
      jsonrpc: "2.0",
      ...(hasId && { id: "f" }),
      method,
      params: structuredClone(paramsOf(method, type)),
    };
    replaceAt(message, where, what);
    return JSON.stringify(message);
  });

function paramsOf(method: string, type: EventType): unknown {
  if (method === "ahp/event") return eventOf(type);
  if (method === "ahp/batch") return { events: [eventOf("pre_action"), eventOf(type)] };
  return method === "ahp/handshake"
    ? HELLO
    : { session_id: "s", agent_id: "a", query_type: "q", payload: {} };
}

/** Replaces the n-th value of a tree. */
function replaceAt(root: unknown, n: number, what: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(root);
  const place = places[n % places.length];
  if (place !== undefined) place[0][place[1]] = what;
}

describe("a harness", () => {
  it("answers any text soundly", () =>
    fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), isSound), RUNS));

  it("answers any JSON soundly", () => fc.assert(fc.asyncProperty(fc.json(), isSound), RUNS));

  it("answers a spoiled message soundly", () =>
    fc.assert(fc.asyncProperty(spoiled, isSound), { numRuns: 1_500 }));

  it("gives only decisions that fit the type", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(DECISIONS) as BlockingType[])),
        fc.jsonValue(),
        async (type, answer) => {
          const metadata = { conformance: { tag: "t", answer } };
          const message = {
            jsonrpc: "2.0",
            id: "f",
            method: "ahp/event",
            params: eventOf(type, { metadata }),
          };
          const reply = JSON.parse((await greeted().receive(JSON.stringify(message))) as string) as {
            result?: unknown;
          };
          if (reply.result !== undefined) AHP_EVENTS[type].decision.parse(reply.result);
        },
      ),
      RUNS,
    ));
});

describe("messages", () => {
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2, null),
        id: fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.constant(null), fc.constant([])),
        method: fc.oneof(fc.constant("ahp/event"), fc.string(), fc.constant(3)),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );

  it("are told apart by hand exactly as by their schemas", () => {
    fc.assert(
      fc.property(message, (value) => {
        const read = readIncoming(value);
        const isObject = typeof value === "object" && value !== null;
        const hasId = isObject && Object.hasOwn(value, "id");
        const expected = hasId
          ? RpcRequest.safeParse(value).success && "request"
          : RpcNotification.safeParse(value).success && "notification";
        expect(read instanceof AhpError ? false : read.kind).toBe(Array.isArray(value) ? false : expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a client", () => {
  it("takes only a proper answer to its own id for one", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const answer = readAnswer(value, "mine");
        if (!answer.ok) return;
        expect(value).toMatchObject({ jsonrpc: "2.0", id: "mine", result: answer.result });
      }),
      RUNS,
    );
  });

  it("settles each request exactly once, whatever comes in whatever order", async () => {
    const said = fc.oneof(
      fc.nat({ max: 9 }).map((n) => JSON.stringify({ jsonrpc: "2.0", id: `r${n}`, result: { n } })),
      fc
        .nat({ max: 9 })
        .map((n) => JSON.stringify({ jsonrpc: "2.0", id: `r${n}`, error: { code: 1, message: "" } })),
      fc.json(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(said), fc.array(fc.nat({ max: 9 })), async (texts, forgotten) => {
        const [near, far] = linkPair();
        far.listen({ message: () => {}, garbage: () => {}, closed: () => {} });
        const connection = multiplex(near, { onStray: () => {} });
        const settled = Array.from({ length: 10 }, () => 0);
        const forgets = settled.map((_, n) =>
          connection.ask(`r${n}`, "{}", () => (settled[n] = (settled[n] ?? 0) + 1)),
        );
        for (const n of forgotten) forgets[n]?.(false);
        const dropped = new Set(forgotten);
        for (const text of texts) await far.send(text);
        await connection.close();
        expect(settled.every((count, n) => count === (dropped.has(n) ? 0 : 1))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
