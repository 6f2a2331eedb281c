import { describe, expect, expectTypeOf, it, vi } from "vitest";

import { eventOf, HELLO } from "../src/conformance/samples/messages.ts";
import type { AhpServer, Call, ConfirmationPayload, GenericDecision, Ignored } from "../src/index.ts";
import { AhpError, createServer } from "../src/index.ts";

const ALLOW = { decision: "allow" } as const;

function open<C>(server: AhpServer<C>, context?: C) {
  const connection = server.connect({ transport: "test", context: context as C });
  let id = 0;
  async function ask(method: string, params: unknown) {
    id += 1;
    const text = JSON.stringify({ jsonrpc: "2.0", id: `r${id}`, method, params });
    return JSON.parse((await connection.receive(text)) as string) as Record<string, Record<string, unknown>>;
  }
  return {
    connection,
    ask,
    greet: () => ask("ahp/handshake", HELLO),
    event: (event: unknown) => ask("ahp/event", event),
    tell: (params: unknown) =>
      connection.receive(JSON.stringify({ jsonrpc: "2.0", method: "ahp/event", params })),
  };
}

async function greeted<C>(server: AhpServer<C>, context?: C) {
  const peer = open(server, context);
  await peer.greet();
  return peer;
}

describe("handlers", () => {
  it("get typed events and return typed decisions", () => {
    createServer<{ name: string }>({
      confirmation: (event, call) => {
        expectTypeOf(event.payload).toEqualTypeOf<ConfirmationPayload>();
        expectTypeOf(event.event_type).toEqualTypeOf<"confirmation">();
        expectTypeOf(call.context.name).toEqualTypeOf<string>();
        return { decision: "approve" };
      },
      // @ts-expect-error a confirmation is approved, not allowed
      rate_limit: () => ALLOW,
      decide: (event) => {
        expectTypeOf(event.payload).toEqualTypeOf<unknown>();
        return ALLOW satisfies GenericDecision;
      },
    });
  });

  it("learn who asks, how, and what the handshake said", async () => {
    const calls: Call<string>[] = [];
    const server = createServer<string>({
      decide: (_event, call) => {
        calls.push(call);
        return ALLOW;
      },
      notify: (_event, call) => void calls.push(call),
    });
    const peer = await greeted(server, "alice");
    await peer.event(eventOf("pre_action"));
    await peer.ask("ahp/batch", { events: [eventOf("post_action")] });
    await peer.tell(eventOf("post_action"));
    expect(calls.map(({ delivery }) => delivery)).toEqual(["request", "batch", "notification"]);
    for (const { context, transport, agent } of calls) {
      expect({ context, transport, agent }).toEqual({ context: "alice", transport: "test", agent: HELLO });
    }
  });

  it("prefer the one for the type over the generic one", async () => {
    const server = createServer({
      pre_prompt: () => ({ decision: "block", reason: "own" }),
      decide: () => ALLOW,
    });
    const peer = await greeted(server);
    expect((await peer.event(eventOf("pre_prompt")))["result"]).toEqual({ decision: "block", reason: "own" });
    expect((await peer.event(eventOf("pre_action")))["result"]).toEqual(ALLOW);
  });

  it("may hold an answer while others are given", async () => {
    const held = Promise.withResolvers<GenericDecision>();
    const server = createServer({ pre_action: () => held.promise, pre_prompt: () => ALLOW });
    const peer = await greeted(server);
    const slow = peer.event(eventOf("pre_action"));
    expect((await peer.event(eventOf("pre_prompt")))["result"]).toEqual(ALLOW);
    held.resolve({ decision: "block", reason: "after a while" });
    expect((await slow)["result"]).toEqual({ decision: "block", reason: "after a while" });
  });

  it("hear that the peer is gone", async () => {
    let signal: AbortSignal | undefined;
    const server = createServer({
      pre_action: (_event, call) => {
        signal = call.signal;
        return ALLOW;
      },
    });
    const peer = await greeted(server);
    await peer.event(eventOf("pre_action"));
    expect(signal?.aborted).toBe(false);
    peer.connection.close();
    expect(signal?.aborted).toBe(true);
  });

  it("may refuse with a code of ours", async () => {
    const server = createServer({
      query: () => {
        throw new AhpError("capability_unsupported", "not today");
      },
    });
    const peer = await greeted(server);
    const query = { session_id: "s", agent_id: "a", query_type: "q", payload: {} };
    const { error } = await peer.ask("ahp/query", query);
    expect(error).toEqual({ code: -32603, message: "not today", data: { code: "capability_unsupported" } });
  });

  it.each([
    ["nothing", () => undefined],
    ["a circle", circle],
    ["a big integer", () => ({ decision: "allow", metadata: { n: 1n } })],
    ["a rejected promise", () => Promise.reject(new Error("no"))],
  ])("that return %s have failed: the agent gets an error, a batch a block", async (_name, make) => {
    const peer = await greeted(createServer({ pre_action: () => make() as never }));
    expect((await peer.event(eventOf("pre_action")))["error"]?.["code"]).toBe(-32603);
    const batch = await peer.ask("ahp/batch", { events: [eventOf("pre_action")] });
    expect(JSON.stringify(batch)).not.toContain("allow");
  });
});

describe("the handshake", () => {
  it("offers capabilities derived from the handlers", () => {
    const noop = () => {};
    expect(createServer({}).offer.harness_info.capabilities).toEqual([]);
    const some = createServer({ pre_action: () => ALLOW, heartbeat: noop, query: () => ({ answer: 1 }) });
    expect(some.offer.harness_info.capabilities).toEqual(["pre_action", "heartbeat", "query", "batch"]);
  });

  it("offers what it is told to instead", () => {
    const { offer } = createServer(
      { decide: () => ALLOW },
      {
        info: { name: "mine", version: "7" },
        capabilities: ["pre_action"],
        limits: { timeoutMs: 1, batchSize: 2, maxDepth: 3 },
      },
    );
    expect(offer.harness_info).toEqual({ name: "mine", version: "7", capabilities: ["pre_action"] });
    expect(offer.config).toEqual({ timeout_ms: 1, batch_size: 2, max_depth: 3 });
  });

  it("has the protocol's limits by default", () => {
    expect(createServer({}).offer.config).toEqual({ timeout_ms: 10_000, batch_size: 100, max_depth: 10 });
  });

  it("may give a session token, and may be refused", async () => {
    const server = createServer({
      handshake: ({ agent_id }) => {
        if (agent_id !== "agent-1") throw new Error("unknown agent");
        return { session_token: "t" };
      },
      pre_action: () => ALLOW,
    });
    const peer = open(server);
    expect((await peer.ask("ahp/handshake", { ...HELLO, agent_id: "x" }))["error"]?.["code"]).toBe(-32603);
    expect((await peer.event(eventOf("pre_action")))["error"]?.["code"]).toBe(-32600);
    expect((await peer.greet())["result"]?.["session_token"]).toBe("t");
    expect((await peer.event(eventOf("pre_action")))["result"]).toEqual(ALLOW);
  });

  it("that takes its time lets what follows wait, not fail", async () => {
    const server = createServer({
      handshake: () => new Promise<void>((resolve) => setTimeout(resolve, 20)),
      pre_action: () => ALLOW,
    });
    const peer = open(server);
    const [, event] = await Promise.all([peer.greet(), peer.event(eventOf("pre_action"))]);
    expect(event["result"]).toEqual(ALLOW);
  });

  it("need not come where it is not required", async () => {
    const peer = open(createServer({ pre_action: () => ALLOW }, { requireHandshake: false }));
    expect((await peer.event(eventOf("pre_action")))["result"]).toEqual(ALLOW);
  });
});

describe("what is ignored", () => {
  it("is recorded, with the reason and the caller", async () => {
    const ignored: Ignored<string>[] = [];
    const server = createServer<string>({}, { onIgnored: (one) => ignored.push(one) });
    const peer = await greeted(server, "bob");
    await peer.tell(eventOf("pre_action"));
    await peer.tell(eventOf("task_list", { payload: {} }));
    await peer.connection.receive('{"jsonrpc":"2.0","method":"ahp/new"}');
    await peer.connection.receive("garbage");
    expect(ignored.map(({ reason, method, call }) => [reason.code, method, call.context])).toEqual([
      ["not_a_notice", "ahp/event", "bob"],
      ["invalid_payload", "ahp/event", "bob"],
      ["method_not_found", "ahp/new", "bob"],
      ["parse_error", undefined, "bob"],
    ]);
  });

  it("does no harm when the recorder throws", async () => {
    const server = createServer(
      { pre_action: () => ALLOW },
      {
        onIgnored: () => {
          throw new Error("full");
        },
      },
    );
    const peer = await greeted(server);
    await peer.tell(eventOf("pre_action"));
    expect((await peer.event(eventOf("pre_action")))["result"]).toEqual(ALLOW);
  });

  it("includes a typed notification that its handler could not read", async () => {
    const heartbeat = vi.fn<() => void>();
    const onIgnored = vi.fn<() => void>();
    const peer = await greeted(createServer({ heartbeat }, { onIgnored }));
    await peer.tell(eventOf("heartbeat", { payload: { uptime_ms: "long" } }));
    expect(heartbeat).not.toHaveBeenCalled();
    expect(onIgnored).toHaveBeenCalledOnce();
  });

  it("does not include a free notification that nobody wants", async () => {
    const onIgnored = vi.fn<() => void>();
    const peer = await greeted(createServer({}, { onIgnored }));
    expect(await peer.tell(eventOf("post_action"))).toBeUndefined();
    expect(onIgnored).not.toHaveBeenCalled();
  });
});

describe("an id", () => {
  it.each(["1e999", "-1e999", "true", "[]", "{}"])("of %s is none", async (id) => {
    const { connection } = await greeted(createServer({ pre_action: () => ALLOW }));
    const reply = await connection.receive(`{"jsonrpc":"2.0","id":${id},"method":"ahp/event","params":{}}`);
    expect(JSON.parse(reply as string)).toMatchObject({ id: "", error: { code: -32600 } });
  });
});

describe("a flood", () => {
  it("of held requests is refused over the limit, and served again below it", async () => {
    const held = Promise.withResolvers<GenericDecision>();
    const server = createServer({ pre_action: () => held.promise }, { limits: { maxInFlight: 2 } });
    const peer = await greeted(server);
    const first = [peer.event(eventOf("pre_action")), peer.event(eventOf("pre_action"))];
    expect((await peer.event(eventOf("pre_action")))["error"]?.["data"]).toEqual({ code: "overloaded" });
    held.resolve(ALLOW);
    await Promise.all(first);
    expect((await peer.event(eventOf("pre_action")))["result"]).toEqual(ALLOW);
  });

  it("of slow notifications asks the reader to wait", async () => {
    const done = Promise.withResolvers<void>();
    const server = createServer({ notify: () => done.promise }, { limits: { maxNotices: 2 } });
    const { connection, tell } = await greeted(server);
    void tell(eventOf("post_action"));
    expect(connection.backlog()).toBeUndefined();
    void tell(eventOf("post_action"));
    const room = connection.backlog();
    expect(room).toBeInstanceOf(Promise);
    done.resolve();
    await room;
    expect(connection.backlog()).toBeUndefined();
  });
});

function circle(): unknown {
  const metadata: Record<string, unknown> = {};
  metadata["self"] = metadata;
  return { decision: "allow", metadata };
}
