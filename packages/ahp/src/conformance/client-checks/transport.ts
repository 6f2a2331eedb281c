import assert from "node:assert/strict";

import type { ClientChecks } from "../client-trial.ts";
import { rejectsWith, sameJson, sent } from "../client-trial.ts";
import type { WireMessage } from "../fakes/fake.ts";
import { answering, polite, resultOf } from "../fakes/fake.ts";
import type { WebSocketFake } from "../fakes/websocket-fake.ts";
import { SECRETS } from "../target.ts";

const ALLOW = { decision: "allow" };

export const transport: ClientChecks = {
  "client:http-key": async ({ connect, fake }) => {
    await connect({}, fake.transport({ apiKey: SECRETS.apiKey }));
    assert.equal(fake.received[0]?.head?.headers["x-api-key"], SECRETS.apiKey);
    assert.equal(fake.received[0]?.head?.headers["authorization"], undefined);
  },
  "client:http-token": async ({ connect, fake }) => {
    await connect({}, fake.transport({ token: SECRETS.token }));
    assert.equal(fake.received[0]?.head?.headers["authorization"], `Bearer ${SECRETS.token}`);
  },
  "client:http-post": async (trial) => {
    const client = await trial.shared();
    await client.decide("pre_action", {});
    await client.notify("post_action", {});
    const heads = sent(trial).map(({ head }) => head);
    assert.equal(heads.length, 2, "one POST a message");
    for (const head of heads) {
      assert.equal(head?.method, "POST");
      assert.equal(head?.url, "/ahp");
      assert.match(String(head?.headers["content-type"]), /^application\/json/);
    }
  },
  "client:http-failed-notice": async (trial) => {
    const client = await trial.shared();
    const error = { code: -32603, message: "not taken" };
    trial.fake.answer = () => ({ texts: [JSON.stringify({ jsonrpc: "2.0", id: "", error })] });
    await rejectsWith(client.notify("post_action", {}), "peer_error");
  },
  "client:http-status": async (trial) => {
    const client = await trial.shared();
    for (const status of [201, 302, 400, 401, 404, 413, 500, 503]) {
      trial.fake.answer = answering((message) => ({ ...resultOf(message, ALLOW), status }));
      await assert.rejects(client.decide("pre_action", {}));
    }
    trial.fake.answer = answering(() => ({ status: 204 }));
    await assert.rejects(client.decide("pre_action", {}));
  },
  "client:websocket-key": async ({ connect, fake }) => {
    await connect({}, fake.transport({ apiKey: SECRETS.apiKey }));
    assert.equal(fake.received[0]?.head?.url, "/any/path?room=1%2B1&api_key=k%2By+%26%3D%25%23");
  },
  "client:websocket-token": async ({ connect, fake }) => {
    await connect({}, fake.transport({ token: SECRETS.token }));
    assert.equal(fake.received[0]?.head?.url, "/any/path?room=1%2B1&token=t%2Fk+n%3F");
  },
  "client:websocket-text": async (trial) => {
    const client = await trial.connect();
    await client.decide("pre_action", {});
    assert.deepEqual(
      trial.fake.received.map(({ isBinary }) => isBinary),
      [false, false],
    );
  },
  "client:websocket-pong": async ({ connect, fake }) => {
    await connect();
    assert.equal(await (fake as WebSocketFake).ping("still there"), "still there");
  },
  "client:line": async (trial) => {
    const client = await trial.connect();
    const payload = { text: "größe ✓ 😀", lines: "a\nb\r\nc\u2028d" };
    await client.decide("pre_action", payload);
    assert.equal(trial.fake.received.length, 2, "a message took more than one line");
    assert.deepEqual(sent(trial)[0]?.message.params?.["payload"], payload);
  },
  "client:line-split": async (trial) => {
    const client = await trial.connect();
    const block = { decision: "block", reason: "größe ✓ 😀" };
    trial.fake.answer = answering((message) => {
      const bytes = Buffer.from(`${resultOf(message, block).texts?.[0]}\n`);
      const cut = bytes.indexOf(0xc3) + 1;
      return { bytes: [bytes.subarray(0, 3), bytes.subarray(3, cut), bytes.subarray(cut)] };
    });
    sameJson(await client.decide("pre_action", {}), block);
    const open: WireMessage[] = [];
    trial.fake.answer = answering((message) => {
      open.push(message);
      if (open.length < 3) return {};
      const lines = open.map((one) => `${resultOf(one, block).texts?.[0]}\n`);
      return { bytes: [Buffer.from(lines.join(""))] };
    });
    const asked = Array.from({ length: 3 }, () => client.decide("pre_action", {}));
    for (const decision of await Promise.all(asked)) sameJson(decision, block);
  },
  "client:line-noise": async (trial) => {
    const client = await trial.connect();
    trial.fake.answer = async (received) => {
      const said = await polite(received);
      return { texts: ["starting up…", "", '{"level":"info","msg":"hello"}', ...(said.texts ?? [])] };
    };
    assert.ok((await client.decide("pre_action", {})).decision);
  },
};
