import assert from "node:assert/strict";

import type { ServerChecks } from "../check.ts";
import { HELLO } from "../samples/messages.ts";
import type { Trial } from "../trial.ts";
import { ask, assertError, greet } from "../trial.ts";
import type { WebSocketWire } from "../wires/websocket-wire.ts";
import { quiet } from "./framing-lines.ts";

async function open({ target }: Trial): Promise<WebSocketWire> {
  return (await target.open()) as WebSocketWire;
}

export const websocket: ServerChecks = {
  "websocket:text": async (trial) => {
    const wire = await open(trial);
    assert.ok((await ask(wire, "ahp/handshake", HELLO)).result);
    assert.equal(wire.inbox.texts.length, 1);
    await wire.close();
  },
  "websocket:ping": async (trial) => {
    const wire = await open(trial);
    assert.equal(await wire.ping("are you there"), "are you there");
    await wire.close();
  },
  "websocket:binary": async (trial) => {
    const wire = await open(trial);
    wire.sendBinary(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "b", method: "ahp/handshake" })));
    assertError(await wire.inbox.find((message) => message.id === ""), -32600);
    assert.ok((await greet(wire)).result, "no longer serves");
    await wire.close();
  },
  "websocket:quiet": quiet,
  "websocket:bad-utf8": async (trial) => {
    const wire = await open(trial);
    void wire.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    await wire.ended;
  },
  "websocket:too-large": async (trial) => {
    const wire = await open(trial);
    void wire.send("x".repeat((trial.target.maxMessageBytes ?? 0) + 100_000));
    await wire.ended;
  },
};
