import assert from "node:assert/strict";

import { decideOrBlock } from "../../client/decide-or-block.ts";
import type { BlockingType } from "../../protocol/events.ts";
import { FAIL_CLOSED } from "../../protocol/fail-closed.ts";
import type { ClientChecks, ClientTrial } from "../client-trial.ts";
import { rejectsWith, sameJson, sent } from "../client-trial.ts";
import type { Saying, WireMessage } from "../fakes/fake.ts";
import { answering, resultOf } from "../fakes/fake.ts";
import { DECISIONS, NULL_MODIFY } from "../samples/decisions.ts";
import { FULL } from "../samples/payloads.ts";

const ALLOW = { decision: "allow" };

function say(message: Record<string, unknown>): Saying {
  return { texts: [JSON.stringify(message)] };
}

/** A decision asked of a fake that answers like this. */
async function decideWhen(trial: ClientTrial, answer: (message: WireMessage) => Saying): Promise<unknown> {
  const client = await trial.shared();
  trial.fake.answer = answering(answer);
  return client.decide("pre_action", { tool_name: "rm" }, { timeoutMs: 300 });
}

export const answers: ClientChecks = {
  "client:version": async (trial) => {
    for (const jsonrpc of ["1.0", "2", 2, undefined]) {
      const asked = decideWhen(trial, ({ id }) => say({ jsonrpc, id, result: ALLOW }));
      await rejectsWith(asked, "bad_answer");
    }
  },
  "client:id": async (trial) => {
    for (const id of ["another", 7, "", null]) {
      const asked = decideWhen(trial, () => say({ jsonrpc: "2.0", id, result: ALLOW }));
      await rejectsWith(asked, "id_mismatch");
    }
  },
  "client:error": async (trial) => {
    const error = { code: -32603, message: "on fire", data: { a: 1 } };
    const asked = decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id, error }));
    assert.deepEqual((await rejectsWith(asked, "peer_error")).rpc, error);
    // An error wins over a result that comes with it.
    const both = decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id, error, result: ALLOW }));
    await rejectsWith(both, "peer_error");
  },
  "client:no-result": async (trial) => {
    await rejectsWith(
      decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id })),
      "bad_answer",
    );
  },
  "client:null-result": async (trial) => {
    const asked = decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id, result: null, error: null }));
    await rejectsWith(asked, "bad_answer");
  },
  "client:batch-count": async (trial) => {
    const client = await trial.shared();
    for (const count of [0, 1, 3]) {
      const decisions = Array.from({ length: count }, () => ALLOW);
      trial.fake.answer = answering((message) => resultOf(message, { decisions }));
      const asked = client.batch([
        { type: "pre_action", payload: {} },
        { type: "pre_action", payload: {} },
      ]);
      await rejectsWith(asked, "batch_mismatch");
    }
  },
  "client:not-json": async (trial) => {
    for (const text of ['{"jsonrpc":"2.0","result":{"decision":"allow"}', "allow", "[]", "3"]) {
      await rejectsWith(
        decideWhen(trial, () => ({ texts: [text] })),
        "timeout",
        "bad_answer",
      );
    }
  },
  "client:extra-fields": async (trial) => {
    const result = { ...ALLOW, new_in_2_5: true };
    const asked = decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id, result, trace: 1 }));
    assert.equal(((await asked) as typeof ALLOW).decision, "allow");
  },
  "client:null-is-unset": async (trial) => {
    const result = { ...ALLOW, modified_payload: null, metadata: null };
    const asked = decideWhen(trial, ({ id }) => say({ jsonrpc: "2.0", id, result, error: null }));
    sameJson(await asked, ALLOW);
  },
  "client:null-modify": async (trial) => {
    await rejectsWith(
      decideWhen(trial, (message) => resultOf(message, NULL_MODIFY)),
      "bad_answer",
    );
    const client = await trial.shared();
    trial.fake.answer = answering((message) => resultOf(message, { decisions: [NULL_MODIFY] }));
    await rejectsWith(client.batch([{ type: "pre_action", payload: {} }]), "bad_answer");
  },
  "client:timeout": async (trial) => {
    const client = await trial.connect();
    let late: WireMessage | undefined;
    trial.fake.answer = answering((message) => {
      late = message;
      return {};
    });
    const before = performance.now();
    await rejectsWith(client.decide("pre_action", {}, { timeoutMs: 60 }), "timeout", "bad_answer");
    assert.ok(performance.now() - before < 1_000, "took too long to give up");
    const block = { decision: "block", reason: "new" };
    trial.fake.answer = answering((message) => ({
      texts: [late, message].flatMap((one, index) =>
        one === undefined ? [] : (resultOf(one, index === 0 ? ALLOW : block).texts ?? []),
      ),
    }));
    // Over HTTP a late answer has nowhere to go.
    if (trial.transport === "http") return;
    sameJson(await client.decide("pre_action", {}), block);
  },
  "client:abort": async (trial) => {
    const client = await trial.shared();
    trial.fake.answer = answering(() => new Promise<Saying>((resolve) => setTimeout(() => resolve({}), 100)));
    const controller = new AbortController();
    const asked = client.decide("pre_action", {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await rejectsWith(asked, "aborted");
    await rejectsWith(client.decide("pre_action", {}, { signal: AbortSignal.abort() }), "aborted");
  },
  "client:out-of-order": async (trial) => {
    const client = await trial.shared();
    const open: WireMessage[] = [];
    trial.fake.answer = answering((message) => {
      open.unshift(message);
      if (open.length < 4) return {};
      const texts = open.flatMap((one) => {
        const { n: reason } = (one.params?.["payload"] ?? {}) as { n?: string };
        return resultOf(one, { decision: "block", reason }).texts ?? [];
      });
      return { texts };
    });
    const names = ["a", "b", "c", "d"];
    const decided = await Promise.all(names.map((n) => client.decide("pre_action", { n })));
    assert.deepEqual(
      decided.map((decision) => (decision as { reason: string }).reason),
      names,
    );
  },
  "client:lost": async (trial) => {
    const client = await trial.connect();
    trial.fake.answer = answering(() => ({ cut: true }));
    const asked = client.decide("pre_action", {});
    await rejectsWith(asked, "connection_lost", "connection_failed", "closed");
  },
  "client:reconnect": async (trial) => {
    const client = await trial.connect({ maxRetries: 3, retryDelayMs: 10 });
    let cuts = 1;
    trial.fake.answer = answering((message) => ((cuts -= 1) >= 0 ? { cut: true } : resultOf(message, ALLOW)));
    sameJson(await client.decide("pre_action", {}), ALLOW);
    const methods = trial.fake.received.map(({ message }) => message.method);
    assert.deepEqual(methods, ["ahp/handshake", "ahp/event", "ahp/handshake", "ahp/event"]);
    trial.fake.cut();
    sameJson(await client.decide("pre_action", {}), ALLOW);
  },
  "client:bounded": async (trial) => {
    const client = await trial.connect({ maxInFlight: 3 });
    let open = 0;
    let most = 0;
    trial.fake.answer = answering(async (message) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return resultOf(message, ALLOW);
    });
    await Promise.all(Array.from({ length: 12 }, () => client.decide("pre_action", {})));
    assert.equal(sent(trial).length, 12);
    assert.ok(most <= 3, `${most} requests were in flight`);
  },
  "client:fail-closed": async (trial) => {
    const client = await trial.shared();
    const error = { code: -32603, message: "no" };
    trial.fake.answer = answering(({ id }) => say({ jsonrpc: "2.0", id, error }));
    for (const type of Object.keys(DECISIONS) as BlockingType[]) {
      const { decision, failure } = await decideOrBlock(client, type, FULL[type] as never);
      assert.equal(failure?.code, "peer_error");
      assert.equal(decision.decision, FAIL_CLOSED[type]("").decision);
      assert.ok(!["allow", "approve", "modify", "retry", "queue"].includes(decision.decision));
    }
  },
};
