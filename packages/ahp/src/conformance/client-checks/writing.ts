import assert from "node:assert/strict";

import type { BlockingType, NoticeType } from "../../protocol/events.ts";
import { AHP_EVENTS, EVENT_TYPES, isBlocking } from "../../protocol/events.ts";
import { AhpEvent } from "../../protocol/event.ts";
import { BatchParams } from "../../protocol/methods.ts";
import type { ClientCheck, ClientChecks } from "../client-trial.ts";
import { eventually, rejectsWith, sameJson, sent } from "../client-trial.ts";
import { answering, resultOf, WELCOME } from "../fakes/fake.ts";
import { BAD_DECISIONS, DECISIONS } from "../samples/decisions.ts";
import { BROKEN, FULL } from "../samples/payloads.ts";

const FULL_EVENT = {
  event_type: "pre_action",
  session_id: "another-session",
  agent_id: "another-agent",
  timestamp: "2026-05-01T00:00:00Z",
  depth: 3,
  payload: { tool_name: "bash", note: null },
  context: { current_task: "run tests", capabilities: { a: null } },
  metadata: { trace: "t-1" },
} as const;

function asks(type: BlockingType): ClientCheck {
  return async (trial) => {
    const client = await trial.shared();
    for (const decision of Object.values(DECISIONS[type])) {
      trial.fake.answer = answering((message) => resultOf(message, decision));
      sameJson(await client.decide(type, FULL[type] as never), decision);
    }
    for (const { message } of sent(trial)) {
      assert.equal(message.method, "ahp/event");
      assert.equal(typeof message.id, "string");
      assert.partialDeepStrictEqual(AhpEvent.parse(message.params), {
        event_type: type,
        payload: FULL[type],
      });
    }
  };
}

function refuses(type: BlockingType): ClientCheck {
  return async (trial) => {
    const client = await trial.shared();
    trial.fake.answer = answering((message) => resultOf(message, BAD_DECISIONS[type]));
    await rejectsWith(client.decide(type, FULL[type] as never), "bad_answer");
  };
}

function tells(type: NoticeType): ClientCheck {
  return async (trial) => {
    const client = await trial.shared();
    await client.notify(type, FULL[type] as never);
    await eventually(() => sent(trial).length === 1, "the notification arrives");
    const message = sent(trial)[0]?.message;
    assert.ok(message !== undefined && !("id" in message), "a notification has no id");
    assert.equal(message.method, "ahp/event");
    sameJson(AhpEvent.parse(message.params).payload, FULL[type]);
  };
}

const blocking = EVENT_TYPES.filter(isBlocking);
const notices = EVENT_TYPES.filter((type): type is NoticeType => !AHP_EVENTS[type].blocking);

export const writing: ClientChecks = {
  ...Object.fromEntries(blocking.map((type) => [`client:ask:${type}`, asks(type)])),
  ...Object.fromEntries(blocking.map((type) => [`client:refuse:${type}`, refuses(type)])),
  ...Object.fromEntries(notices.map((type) => [`client:tell:${type}`, tells(type)])),
  "client:string-ids": async (trial) => {
    const client = await trial.connect();
    await Promise.all(Array.from({ length: 20 }, () => client.decide("pre_action", {})));
    const ids = trial.fake.received.map(({ message }) => message.id);
    for (const id of ids) assert.equal(typeof id, "string");
    assert.equal(new Set(ids).size, 21, "an id was used twice");
  },
  "client:envelope": async (trial) => {
    const client = await trial.connect();
    await client.decide("pre_action", {});
    for (const { message } of trial.fake.received) {
      assert.deepEqual(Object.keys(message).toSorted(), ["id", "jsonrpc", "method", "params"]);
      assert.equal(message.jsonrpc, "2.0");
    }
  },
  "client:no-null": async (trial) => {
    const client = await trial.connect();
    const unset = { last_event_type: null, suggested_action: undefined } as never;
    const event = { ...FULL_EVENT, payload: {}, context: null, metadata: null } as never;
    await client.decide("idle", { idle_duration_ms: 1, idle_reason: "r", ...(unset as object) });
    await client.decideEvent(event);
    for (const { text } of trial.fake.received) assert.doesNotMatch(text, /:null/);
  },
  "client:batch": async (trial) => {
    const client = await trial.shared();
    await client.batch([
      { type: "pre_action", payload: { n: 1 } },
      { type: "task_list", payload: FULL.task_list, depth: 2 },
      { type: "pre_prompt", payload: { n: 3 }, metadata: { a: 1 } },
    ]);
    const [batch] = sent(trial);
    assert.equal(batch?.message.method, "ahp/batch");
    const { events } = BatchParams.parse(batch?.message.params);
    assert.deepEqual(
      events.map((event) => event.event_type),
      ["pre_action", "task_list", "pre_prompt"],
    );
    assert.equal(events[1]?.depth, 2);
    assert.deepEqual(events[2]?.metadata, { a: 1 });
  },
  "client:batch-generic": async (trial) => {
    const client = await trial.shared();
    const entry = { type: "planning", payload: FULL.planning } as never;
    await rejectsWith(client.batch([entry]), "not_batchable");
    assert.equal(sent(trial).length, 0);
  },
  "client:query": async (trial) => {
    const client = await trial.shared();
    sameJson(await client.query("policy", { name: null }), { answer: { polite: true } });
    const [query] = sent(trial);
    assert.equal(query?.message.method, "ahp/query");
    const who = { session_id: "sess-1", agent_id: "agent-1" };
    assert.deepEqual(query?.message.params, { ...who, query_type: "policy", payload: { name: null } });
  },
  "client:full-event": async (trial) => {
    const client = await trial.shared();
    await client.decideEvent(FULL_EVENT);
    await client.notifyEvent({ ...FULL_EVENT, event_type: "post_action" });
    await client.batchEvents([FULL_EVENT]);
    await eventually(() => sent(trial).length === 3, "all three arrive");
    const [asked, told, batch] = ["ahp/event", "ahp/event", "ahp/batch"].map((_, n) => sent(trial)[n]);
    assert.deepEqual(asked?.message.params, FULL_EVENT);
    assert.deepEqual(told?.message.params, { ...FULL_EVENT, event_type: "post_action" });
    assert.deepEqual(batch?.message.params, { events: [FULL_EVENT] });
  },
  "client:limits": async (trial) => {
    const config = { max_depth: 2, batch_size: 1 };
    trial.fake.answer = ({ message }) => resultOf(message, { ...WELCOME, config });
    const client = await trial.connect();
    await rejectsWith(client.decide("pre_action", {}, { depth: 3 }), "event_too_deep");
    const entry = { type: "pre_action", payload: {} } as const;
    await rejectsWith(client.batch([entry, entry]), "batch_too_large");
    assert.equal(sent(trial).length, 0);
  },
  "client:bad-payload": async (trial) => {
    const client = await trial.shared();
    for (const [type, payload] of Object.entries(BROKEN)) {
      const call = AHP_EVENTS[type as keyof typeof BROKEN].blocking
        ? client.decide(type as BlockingType, payload as never)
        : client.notify(type as NoticeType, payload as never);
      await rejectsWith(call, "invalid_payload");
    }
    assert.equal(sent(trial).length, 0);
  },
};
