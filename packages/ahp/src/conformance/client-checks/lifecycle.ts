import assert from "node:assert/strict";

import { HandshakeParams } from "../../protocol/methods.ts";
import type { ClientChecks } from "../client-trial.ts";
import { rejectsWith } from "../client-trial.ts";
import { polite, resultOf, WELCOME } from "../fakes/fake.ts";

export const lifecycle: ClientChecks = {
  "client:handshake-first": async ({ create, fake }) => {
    const client = create();
    await rejectsWith(client.decide("pre_action", {}), "handshake_required");
    await rejectsWith(client.notify("post_action", {}), "handshake_required");
    await rejectsWith(client.query("q", {}), "handshake_required");
    await rejectsWith(client.batch([{ type: "pre_action", payload: {} }]), "handshake_required");
    assert.equal(fake.received.length, 0, "something was sent before the handshake");
    await client.handshake();
    assert.equal(fake.received[0]?.message.method, "ahp/handshake");
  },
  "client:handshake-params": async ({ connect, fake }) => {
    await connect({ agent: { framework: "f", version: "9", capabilities: ["pre_action"] } });
    const [first] = fake.received;
    const params = HandshakeParams.parse(first?.message.params);
    assert.match(params.protocol_version, /^2\.4/);
    assert.deepEqual(params.agent_info, { framework: "f", version: "9", capabilities: ["pre_action"] });
    assert.equal(params.session_id, "sess-1");
    assert.equal(params.agent_id, "agent-1");
  },
  "client:minor": async ({ connect, fake }) => {
    for (const protocol_version of ["2.0", "2.17", "2.4.9"]) {
      fake.answer = ({ message }) => resultOf(message, { ...WELCOME, protocol_version });
      const client = await connect();
      assert.equal(client.harness?.protocol_version, protocol_version);
    }
  },
  "client:major": async ({ create, fake }) => {
    for (const protocol_version of ["1.4", "3.0", "x"]) {
      fake.answer = ({ message }) => resultOf(message, { ...WELCOME, protocol_version });
      const client = create();
      await rejectsWith(client.handshake(), "version_mismatch");
      await rejectsWith(client.decide("pre_action", {}), "handshake_required");
    }
  },
  "client:bad-welcome": async ({ create, fake }) => {
    for (const result of [{}, { protocol_version: "2.4" }, "welcome", { ...WELCOME, harness_info: 1 }]) {
      fake.answer = ({ message }) => resultOf(message, result);
      await rejectsWith(create().handshake(), "bad_answer");
    }
  },
  "client:close": async ({ connect, fake }) => {
    const client = await connect();
    await client.close();
    await client.close();
    fake.received.length = 0;
    fake.answer = polite;
    await rejectsWith(client.decide("pre_action", {}), "closed");
    await rejectsWith(client.notify("post_action", {}), "closed");
    assert.equal(fake.received.length, 0, "something was sent after close");
  },
};
