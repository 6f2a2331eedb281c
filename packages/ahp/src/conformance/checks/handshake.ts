import assert from "node:assert/strict";

import { HandshakeResult } from "../../protocol/methods.ts";
import type { ServerChecks } from "../check.ts";
import { eventOf, HELLO } from "../samples/messages.ts";
import { ask, askEvent, assertError, assertDecided, greet } from "../trial.ts";

export const handshake: ServerChecks = {
  "handshake:answer": async ({ wire }) => {
    const answer = await greet(wire);
    const { protocol_version, config } = HandshakeResult.parse(answer.result);
    assert.match(protocol_version, /^2\./);
    for (const limit of Object.values(config ?? {})) assert.ok(Number.isInteger(limit));
  },
  "handshake:minor": async ({ wire }) => {
    for (const protocol_version of ["2.0", "2.99", "2.4.7", "2"]) {
      HandshakeResult.parse((await greet(wire, { protocol_version })).result);
    }
  },
  "handshake:major": async ({ target }) => {
    const wire = await target.open();
    for (const protocol_version of ["1.9", "3.0", "24", "x"]) {
      assertError(await greet(wire, { protocol_version }), -32000);
    }
    await wire.close();
  },
  "handshake:params": async ({ wire }) => {
    for (const field of Object.keys(HELLO)) {
      assertError(await greet(wire, { [field]: undefined }), -32602);
    }
    assertError(await greet(wire, { agent_info: { framework: "x", version: "1" } }), -32602);
    assertError(await greet(wire, { session_id: 7 }), -32602);
  },
  "handshake:first": async ({ target }) => {
    // Over HTTP there is no connection to be new: there the harness must be.
    const wire = await (target.openStranger ?? target.open)();
    assertError(await askEvent(wire, eventOf("pre_action")), -32600);
    assertError(await ask(wire, "ahp/batch", { events: [eventOf("pre_action")] }), -32600);
    const query = { session_id: "s", agent_id: "a", query_type: "q", payload: {} };
    assertError(await ask(wire, "ahp/query", query), -32600);
    assertError(await greet(wire, { protocol_version: "3.0" }), -32000);
    assertError(await askEvent(wire, eventOf("pre_action")), -32600);
    await greet(wire);
    assertDecided(await askEvent(wire, eventOf("pre_action")));
    await wire.close();
  },
  "handshake:again": async ({ wire }) => {
    HandshakeResult.parse((await greet(wire)).result);
    HandshakeResult.parse((await greet(wire, { session_id: "sess-2" })).result);
  },
  "handshake:capabilities": async ({ generic }) => {
    const wire = await generic();
    const { harness_info } = HandshakeResult.parse((await greet(wire)).result);
    for (const one of ["pre_action", "pre_prompt", "post_action", "query", "batch", "run_lifecycle"]) {
      assert.ok(harness_info.capabilities.includes(one), `${one} is missing`);
    }
    assert.ok(!harness_info.capabilities.includes("planning"), "planning has no handler");
  },
};
