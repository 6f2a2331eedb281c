import assert from "node:assert/strict";
import { stat } from "node:fs/promises";

import type { ServerChecks } from "../check.ts";
import { eventOf, HELLO } from "../samples/messages.ts";
import { scripted } from "../script.ts";
import type { Trial } from "../trial.ts";
import { assertError, heard, newName, tell } from "../trial.ts";
import type { Wire } from "../wires/wire.ts";

function helloLine(id: string, end = "\n"): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method: "ahp/handshake", params: HELLO }) + end);
}

async function answered(wire: Wire, id: string): Promise<void> {
  assert.ok((await wire.inbox.find((message) => message.id === id)).result, `${id} got no result`);
}

async function sendBytes(wire: Wire, bytes: Uint8Array): Promise<void> {
  assert.ok(wire.sendBytes, "not a stream of bytes");
  await wire.sendBytes(bytes);
}

/** How many answers come while the work is done. */
async function answersTo(wire: Wire, work: () => Promise<void>): Promise<number> {
  const before = wire.inbox.texts.length;
  await work();
  return wire.inbox.texts.length - before;
}

export const lines: ServerChecks = {
  "line:one": async ({ wire }) => {
    const id = `with\nline\r\nbreaks ${newName()}`;
    const params = { session_id: "s\n", agent_id: "a", query_type: "q", payload: "one\ntwo\u2028" };
    const count = await answersTo(wire, async () => {
      await wire.send(JSON.stringify({ jsonrpc: "2.0", id, method: "ahp/query", params }));
      await wire.inbox.find((message) => message.id === id);
    });
    assert.equal(count, 1, "an answer took more than one line");
  },
  "line:split": async ({ wire, tag }) => {
    const id = `größe-✓-${tag()}`;
    const bytes = helloLine(id);
    const cut = bytes.indexOf(0xc3) + 1;
    for (const piece of [bytes.subarray(0, 1), bytes.subarray(1, cut), bytes.subarray(cut)]) {
      await sendBytes(wire, piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await answered(wire, id);
  },
  "line:many": async ({ wire }) => {
    const ids = Array.from({ length: 20 }, newName);
    await sendBytes(wire, Buffer.concat(ids.map((id) => helloLine(id))));
    for (const id of ids) await answered(wire, id);
  },
  "line:crlf": async ({ wire, tag }) => {
    const id = tag();
    await sendBytes(wire, helloLine(id, "\r\n"));
    await answered(wire, id);
  },
  "line:blank": async ({ wire, tag }) => {
    const id = tag();
    const count = await answersTo(wire, async () => {
      await sendBytes(wire, Buffer.from("\n\r\n\n"));
      await sendBytes(wire, helloLine(id));
      await answered(wire, id);
    });
    assert.equal(count, 1, "a blank line was answered");
  },
  "line:bad-utf8": async ({ wire, tag }) => {
    const [before, behind] = [tag(), tag()];
    const from = wire.inbox.texts.length;
    const bad = Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]);
    await sendBytes(wire, Buffer.concat([helloLine(before), bad, helloLine(behind)]));
    await answered(wire, before);
    await answered(wire, behind);
    assertError(await wire.inbox.find((message) => message.id === "", from), -32700);
  },
  "line:too-large": async ({ target }) => {
    const wire = await target.open();
    void sendBytes(wire, Buffer.alloc((target.maxMessageBytes ?? 0) + 100_000, "x"));
    assertError(await wire.inbox.find((message) => message.id === ""), -32600);
    await wire.ended;
    await wire.close();
  },
  "line:quiet": quiet,
  "unix:mode": async ({ target }) => {
    assert.ok(target.socketPath);
    assert.equal((await stat(target.socketPath)).mode & 0o777, 0o600);
  },
};

/** Notifications that are bad in every way; none may be answered, none handled. */
export async function quiet({ wire, tag }: Trial): Promise<void> {
  const name = tag();
  const mark = scripted({ tag: name });
  const count = await answersTo(wire, async () => {
    await tell(wire, "ahp/unknown", eventOf("post_action", mark));
    await tell(wire, "ahp/event", eventOf("pre_action", mark));
    await tell(wire, "ahp/event", eventOf("post_action", { ...mark, depth: -1 }));
    await tell(wire, "ahp/event", eventOf("run_lifecycle", { ...mark, payload: {} }));
    await tell(wire, "ahp/event", undefined);
    assert.deepEqual(await heard(wire, name), []);
  });
  assert.equal(count, 1, "a notification was answered");
}
