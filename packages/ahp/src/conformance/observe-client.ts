import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

import { AhpEvent } from "../protocol/event.ts";
import { AHP_EVENTS } from "../protocol/events.ts";
import { BatchParams, HandshakeParams, QueryParams } from "../protocol/methods.ts";
import type { Answerer, Fake, Received } from "./fakes/fake.ts";
import { answering, resultOf, WELCOME } from "./fakes/fake.ts";
import { FAKES } from "./fakes/index.ts";
import { attempt } from "./run-server.ts";
import type { Outcome } from "./run-server.ts";
import type { TransportName } from "./transports.ts";

/** Longer than the protocol's default timeout, which a client may keep to. */
const PATIENCE_MS = 20_000;
const ALLOW = { decision: "allow" };
/** Of what a client does not do, nothing can be said. */
const NOT_SEEN = "the client did not do this";

/**
 * Watches a client that somebody else wrote. The command finds the harness in AHP_URL, asks for at
 * least one `pre_action`, and ends with 0 exactly when every question got a valid answer.
 */
export async function observeClient(transport: TransportName, command: string): Promise<Outcome[]> {
  const fake = await FAKES[transport]();
  const outcomes: Outcome[] = [];
  const judge = async (id: string, check: () => void | Promise<void>) => {
    const note = await attempt(async () => check());
    const status = note === undefined ? "pass" : note === NOT_SEEN ? "skip" : "fail";
    outcomes.push({ id, transport, status, note });
  };
  const code = await run(command, fake);
  const seen = [...fake.received];
  await judge("client:ask:pre_action", () => {
    assert.equal(code, 0, `the client ended with ${code}`);
    const asked = of(seen, "ahp/event").filter(
      ({ id, params }) => id && params?.["event_type"] === "pre_action",
    );
    assert.ok(asked.length > 0, "the client asked for no pre_action");
  });
  for (const [id, check] of Object.entries(WATCHED)) await judge(id, () => check(seen));
  for (const [id, answer] of Object.entries(FAULTS)) {
    fake.reset();
    fake.answer = answer;
    await judge(id, async () => {
      assert.notEqual(await run(command, fake), 0, "the client took a bad answer for a good one");
    });
  }
  await fake.close();
  return outcomes;
}

/** The exit code; a client that does not end is ended. */
async function run(command: string, { url }: Fake): Promise<number> {
  const child = spawn("sh", ["-c", `exec ${command}`], {
    env: { ...process.env, AHP_URL: url },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  return code ?? -1;
}

/** What a well-treated client may be seen doing. */
const WATCHED: Record<string, (seen: readonly Received[]) => void> = {
  "client:handshake-first": ([first]) => assert.equal(first?.message.method, "ahp/handshake"),
  "client:handshake-params": ([first]) => void HandshakeParams.parse(first?.message.params),
  "client:string-ids": (seen) => {
    const ids = seen.flatMap(({ message }) => ("id" in message ? [message.id] : []));
    for (const id of ids) assert.equal(typeof id, "string");
    assert.equal(new Set(ids).size, ids.length, "an id was used twice");
  },
  "client:envelope": (seen) => {
    for (const { message } of seen) {
      assert.equal(message.jsonrpc, "2.0");
      assert.match(String(message.method), /^ahp\/(handshake|event|query|batch)$/);
    }
  },
  "client:no-null": (seen) => {
    for (const { message } of seen) {
      for (const field of ["context", "metadata"]) assert.notEqual(message.params?.[field], null);
    }
  },
  "client:batch-generic": (seen) => {
    for (const { params } of some(seen, "ahp/batch")) {
      for (const event of BatchParams.parse(params).events) assertEvent(event);
    }
  },
  "client:query": (seen) => {
    for (const { params } of some(seen, "ahp/query")) QueryParams.parse(params);
  },
  "client:bad-payload": (seen) => {
    for (const message of of(seen, "ahp/event")) {
      const event = AhpEvent.parse(message.params);
      AHP_EVENTS[event.event_type].payload?.parse(event.payload);
      assert.equal("id" in message, AHP_EVENTS[event.event_type].blocking, event.event_type);
    }
  },
};

/** What a client must not take for an answer. */
const FAULTS: Record<string, Answerer> = {
  "client:version": answering(({ id }) => said({ jsonrpc: "1.0", id, result: ALLOW })),
  "client:id": answering(() => said({ jsonrpc: "2.0", id: "another", result: ALLOW })),
  "client:error": answering(({ id }) => said({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } })),
  "client:no-result": answering(({ id }) => said({ jsonrpc: "2.0", id })),
  "client:not-json": answering(() => ({ texts: ["allow"] })),
  "client:refuse:pre_action": answering((message) => resultOf(message, { decision: "approve" })),
  "client:lost": answering(() => ({ cut: true })),
  "client:timeout": answering(() => ({})),
  "client:major": ({ message }) => resultOf(message, { ...WELCOME, protocol_version: "3.0" }),
};

function said(message: unknown): { texts: string[] } {
  return { texts: [JSON.stringify(message)] };
}

function of(seen: readonly Received[], method: string): Received["message"][] {
  return seen.map(({ message }) => message).filter((message) => message.method === method);
}

function some(seen: readonly Received[], method: string): Received["message"][] {
  const found = of(seen, method);
  if (found.length === 0) throw new Error(NOT_SEEN);
  return found;
}

function assertEvent(event: AhpEvent): void {
  assert.ok(AHP_EVENTS[event.event_type].batchable, `${event.event_type} is not for batches`);
}
