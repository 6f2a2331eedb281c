import assert from "node:assert/strict";

import type { ServerChecks } from "../check.ts";
import { eventOf, HELLO } from "../samples/messages.ts";
import { scripted } from "../script.ts";
import type { Trial } from "../trial.ts";
import { ask, askEvent, assertError, assertDecided, newName, tell } from "../trial.ts";
import type { Wire } from "../wires/wire.ts";

/** Sends what no answer can name, and checks the anonymous answer. */
async function sendAnonymous({ wire }: Trial, text: string, code: number): Promise<void> {
  const before = wire.inbox.texts.length;
  await wire.send(text);
  assertError(await wire.inbox.find((message) => message.id === "", before), code);
  await stillServes(wire);
}

async function stillServes(wire: Wire): Promise<void> {
  const answer = await ask(wire, "ahp/handshake", HELLO);
  assert.ok(answer.result, "no longer serves");
}

export const rpc: ServerChecks = {
  "rpc:string-id": async ({ wire }) => {
    const id = `"é\n${newName()}`;
    await wire.send(
      JSON.stringify({ jsonrpc: "2.0", id, method: "ahp/event", params: eventOf("pre_action") }),
    );
    assertDecided(await wire.inbox.find((message) => message.id === id));
  },
  "rpc:number-id": async ({ wire }) => {
    const id = Math.floor(Math.random() * 1e9);
    await wire.send(
      JSON.stringify({ jsonrpc: "2.0", id, method: "ahp/event", params: eventOf("pre_action") }),
    );
    assertDecided(await wire.inbox.find((message) => message.id === id));
  },
  "rpc:version": async ({ wire }) => {
    const good = await askEvent(wire, eventOf("pre_action"));
    const bad = await askEvent(wire, {});
    assert.equal(good.jsonrpc, "2.0");
    assert.equal(bad.jsonrpc, "2.0");
    assert.ok(!("error" in good) && !("result" in bad), "either result or error, not both");
  },
  "rpc:not-json": (trial) => sendAnonymous(trial, '{"jsonrpc":"2.0","id":"x"', -32700),
  "rpc:not-a-message": async (trial) => {
    for (const text of ['{"hello":1}', "3", "null", '"text"', '{"jsonrpc":"2.0","id":"x"}']) {
      await sendAnonymous(trial, text, -32600);
    }
  },
  "rpc:wrong-version": async (trial) => {
    const params = eventOf("pre_action");
    const method = "ahp/event";
    await sendAnonymous(trial, JSON.stringify({ jsonrpc: "1.0", id: "x", method, params }), -32600);
    await sendAnonymous(trial, JSON.stringify({ id: "x", method, params }), -32600);
  },
  "rpc:null-id": (trial) => {
    const params = eventOf("pre_action");
    const message = { jsonrpc: "2.0", id: null, method: "ahp/event", params };
    return sendAnonymous(trial, JSON.stringify(message), -32600);
  },
  "rpc:array": (trial) => {
    const message = { jsonrpc: "2.0", id: "x", method: "ahp/handshake", params: HELLO };
    return sendAnonymous(trial, JSON.stringify([message]), -32600);
  },
  "rpc:unknown-method": async ({ wire }) => {
    for (const method of ["ahp/unknown", "handshake", "toString", "__proto__"]) {
      assertError(await ask(wire, method, {}), -32601);
    }
  },
  "rpc:unknown-notification": async ({ wire }) => {
    const before = wire.inbox.texts.length;
    await tell(wire, "ahp/unknown", { a: 1 });
    await stillServes(wire);
    assert.equal(wire.inbox.texts.length - before, 1, "an unknown notification was answered");
  },
  "rpc:no-params": async ({ wire }) => {
    for (const method of ["ahp/handshake", "ahp/event", "ahp/query", "ahp/batch"]) {
      assertError(await ask(wire, method, undefined), -32602);
    }
  },
  "rpc:extra-fields": async ({ wire }) => {
    const id = newName();
    const params = { ...eventOf("pre_action"), new_in_2_5: { a: [1] } };
    await wire.send(JSON.stringify({ trace: 1, params, method: "ahp/event", id, jsonrpc: "2.0" }));
    assertDecided(await wire.inbox.find((message) => message.id === id));
  },
  "rpc:null-is-unset": async ({ wire }) => {
    const event = eventOf("pre_action", { context: null, metadata: null });
    assertDecided(await askEvent(wire, event));
    const nulls = { recent_facts: null, memory_summary: null, session_stats: null, current_task: null };
    const deep = eventOf("pre_action", { context: { ...nulls, capabilities: null } });
    assertDecided(await askEvent(wire, deep));
  },
  "rpc:no-null": async ({ wire }) => {
    const before = wire.inbox.texts.length;
    await askEvent(wire, eventOf("pre_action"));
    await askEvent(wire, {});
    await ask(wire, "ahp/handshake", HELLO);
    for (const text of wire.inbox.texts.slice(before)) assert.doesNotMatch(text, /:null/);
  },
  "rpc:after-garbage": async ({ wire }) => {
    for (const text of ["{", "}", "[[[[", "\u0000", "nul", '{"id":']) await wire.send(text);
    await stillServes(wire);
  },
  "rpc:concurrent": async ({ wire, tag }) => {
    const held = askEvent(wire, eventOf("pre_action", scripted({ tag: tag(), hold_ms: 150 })));
    let isHeld = true;
    held.then(
      () => (isHeld = false),
      () => {},
    );
    for (let n = 0; n < 5; n += 1) assertDecided(await askEvent(wire, eventOf("pre_prompt")));
    assert.ok(isHeld, "others had to wait for the held answer");
    assertDecided(await held);
  },
  "rpc:many": async ({ wire }) => {
    const asked = Array.from({ length: 50 }, () => askEvent(wire, eventOf("pre_action")));
    for (const answer of await Promise.all(asked)) assertDecided(answer);
  },
};
