import assert from "node:assert/strict";

import type { ServerChecks } from "../check.ts";
import { eventOf } from "../samples/messages.ts";
import type { Target } from "../target.ts";
import { askEvent, assertError, assertDecided, greet, tell } from "../trial.ts";
import type { Wire } from "../wires/wire.ts";

/** One POST on a greeted connection of its own: status and body. */
async function post(target: Target, message: string | Uint8Array): Promise<{ status: number; wire: Wire }> {
  const wire = await target.open();
  await greet(wire);
  await wire.send(message);
  await wire.close();
  return { status: wire.inbox.statuses[1] ?? 0, wire };
}

async function refusedWith(
  target: Target,
  status: number,
  options: Parameters<NonNullable<Target["openHttp"]>>[0],
  body = "{}",
): Promise<void> {
  const wire = await target.openHttp?.(options);
  assert.ok(wire);
  await wire.send(body);
  assert.deepEqual(wire.inbox.statuses, [status]);
  await wire.close();
}

async function anonymous(target: Target, message: string | Uint8Array, code: number): Promise<void> {
  const { status, wire } = await post(target, message);
  assert.equal(status, 200);
  assertError(await wire.inbox.find((answer) => answer.id === ""), code);
}

function notification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

export const http: ServerChecks = {
  "http:request": async ({ target }) => {
    const wire = await target.open();
    await greet(wire);
    assertDecided(await askEvent(wire, eventOf("pre_action")));
    assert.deepEqual(wire.inbox.statuses, [200, 200]);
    for (const headers of wire.inbox.headers) {
      assert.match(String(headers["content-type"]), /^application\/json/);
    }
    await wire.close();
  },
  "http:notification": async ({ target }) => {
    const wire = await target.open();
    await greet(wire);
    await tell(wire, "ahp/event", eventOf("post_action"));
    assert.deepEqual(wire.inbox.statuses, [200, 204]);
    assert.equal(wire.inbox.texts.length, 1, "a 204 has no body");
    await wire.close();
  },
  "http:neither": async ({ target }) => {
    for (const body of ['{"hello":1}', "[]", '{"jsonrpc":"2.0","result":{},"id":"x"}']) {
      await anonymous(target, body, -32600);
    }
  },
  "http:failed-notification": async ({ target }) => {
    await anonymous(target, notification("ahp/event", eventOf("pre_action")), -32603);
    await anonymous(target, notification("ahp/event", eventOf("task_list", { payload: {} })), -32603);
    await anonymous(target, notification("ahp/event", { event_type: "post_action" }), -32603);
  },
  "http:unknown-notification": async ({ target }) => {
    const { status, wire } = await post(target, notification("ahp/unknown", {}));
    assert.equal(status, 204);
    assert.equal(wire.inbox.texts.length, 1);
  },
  "http:path": ({ target }) => refusedWith(target, 404, { path: "/other" }),
  "http:method": async ({ target }) => {
    for (const method of ["PUT", "GET", "DELETE"]) await refusedWith(target, 405, { method });
  },
  "http:content-type": async ({ target }) => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
      await refusedWith(target, 415, { headers: { "content-type": type } });
    }
  },
  "http:origin": ({ target }) => refusedWith(target, 403, { headers: { origin: "https://evil.example" } }),
  "http:too-large": ({ target }) =>
    refusedWith(target, 413, {}, "x".repeat((target.maxMessageBytes ?? 0) + 1)),
  "http:bad-utf8": ({ target }) => anonymous(target, Buffer.from([0x22, 0xff, 0x22]), -32700),
  "http:no-token": async ({ target }) => {
    const wire = await target.open();
    await greet(wire);
    const event = eventOf("pre_action", { session_id: "another", agent_id: "another" });
    assertDecided(await askEvent(wire, event));
    await wire.close();
  },
};
