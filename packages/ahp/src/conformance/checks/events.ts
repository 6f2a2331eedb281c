import assert from "node:assert/strict";

import type { EventType } from "../../protocol/events.ts";
import { AHP_EVENTS, EVENT_TYPES } from "../../protocol/events.ts";
import type { ServerCheck, ServerChecks } from "../check.ts";
import { REQUIRED_FIELDS } from "../requirements/events.ts";
import { eventOf } from "../samples/messages.ts";
import { scripted } from "../script.ts";
import { ask, askEvent, assertDecided, assertError, assertResult, heard, tell } from "../trial.ts";

const ALLOW = { decision: "allow" };

function asRequest(type: EventType): ServerCheck {
  const { decision } = AHP_EVENTS[type];
  return async ({ wire, tag }) => {
    const name = tag();
    const answer = await askEvent(wire, eventOf(type, scripted({ tag: name })));
    if (decision === null) return assertError(answer, -32602);
    decision.parse(answer.result);
    const [event, ...more] = await heard(wire, name);
    assert.equal(event?.event_type, type);
    assert.equal(event?.delivery, "request");
    assert.equal(more.length, 0, "handled more than once");
  };
}

function asNotification(type: EventType): ServerCheck {
  const { blocking } = AHP_EVENTS[type];
  return async ({ target, wire, tag }) => {
    const name = tag();
    const before = wire.inbox.texts.length;
    await tell(wire, "ahp/event", eventOf(type, scripted({ tag: name })));
    const events = await heard(wire, name);
    assert.equal(events.length, blocking ? 0 : 1);
    if (!blocking) assert.equal(events[0]?.delivery, "notification");
    // One answer belongs to the query; only HTTP can say more.
    const told = target.transport === "http" && blocking ? 2 : 1;
    assert.equal(wire.inbox.texts.length - before, told, "a notification was answered");
  };
}

function inBatch(type: EventType): ServerCheck {
  const { batchable } = AHP_EVENTS[type];
  return async ({ wire, tag }) => {
    const name = tag();
    const answer = await ask(wire, "ahp/batch", { events: [eventOf(type, scripted({ tag: name }))] });
    if (!batchable) return assertError(answer, -32602);
    assertResult(answer, { decisions: [ALLOW] });
    assert.equal((await heard(wire, name))[0]?.delivery, "batch");
  };
}

const perType: ServerChecks = Object.fromEntries(
  EVENT_TYPES.flatMap((type) => [
    [`event:${type}:request`, asRequest(type)],
    [`event:${type}:notification`, asNotification(type)],
    [`event:${type}:batch`, inBatch(type)],
  ]),
);

const perField: ServerChecks = Object.fromEntries(
  REQUIRED_FIELDS.map((field) => [
    `event:needs:${field}`,
    async ({ wire }) => {
      assertError(await askEvent(wire, eventOf("pre_action", { [field]: undefined })), -32602);
    },
  ]),
);

export const events: ServerChecks = {
  ...perType,
  ...perField,
  "event:unknown-type": async ({ wire }) => {
    for (const event_type of ["pre_flight", "PRE_ACTION", "constructor", "", 3, null]) {
      assertError(await askEvent(wire, eventOf("pre_action", { event_type })), -32602);
    }
  },
  "event:method-types": async ({ wire }) => {
    for (const event_type of ["handshake", "query"]) {
      assertError(await askEvent(wire, eventOf("pre_action", { event_type })), -32602);
    }
  },
  "event:depth-type": async ({ wire }) => {
    for (const depth of [-1, 0.5, 2 ** 32, "0", null, true]) {
      assertError(await askEvent(wire, eventOf("pre_action", { depth })), -32602);
    }
  },
  "event:too-deep": async ({ wire, config }) => {
    if (config.max_depth === undefined) return;
    for (const depth of [config.max_depth + 1, 2 ** 32 - 1]) {
      assertError(await askEvent(wire, eventOf("pre_action", { depth })), -32602);
    }
  },
  "event:at-depth": async ({ wire, config }) => {
    const depth = config.max_depth ?? 10;
    assertDecided(await askEvent(wire, eventOf("pre_action", { depth })));
  },
  "event:context": async ({ wire, tag }) => {
    const context = {
      recent_facts: [{ content: "c", source: "s", confidence: 0.25 }],
      memory_summary: { memory_type: "m", total_items: 2, recent_topics: ["t"] },
      session_stats: { total_actions: 1, total_tokens: 2, duration_ms: 3, error_count: 4 },
      current_task: "task ✓",
      capabilities: { memory_search: "yes", nested: { a: null } },
    };
    const name = tag();
    const own = { session_id: "other-session", agent_id: "other-agent", depth: 3, context };
    await askEvent(wire, eventOf("pre_action", { ...own, ...scripted({ tag: name }) }));
    const [event] = await heard(wire, name);
    assert.deepEqual(event?.context, context);
    assert.equal(event?.session_id, "other-session");
    assert.equal(event?.agent_id, "other-agent");
    assert.equal(event?.depth, 3);
  },
  "event:newer": async ({ wire, tag }) => {
    const fact = { content: "c", source: "s", confidence: 1, new_in_2_5: [null] };
    const context = { recent_facts: [fact], new_in_2_5: { a: null } };
    const name = tag();
    const { metadata } = scripted({ tag: name });
    const more = { context, metadata: { ...metadata, new_in_2_5: { a: null } } };
    await askEvent(wire, eventOf("pre_action", more));
    await tell(wire, "ahp/event", eventOf("post_action", more));
    await ask(wire, "ahp/batch", { events: [eventOf("pre_action", more)] });
    const events = await heard(wire, name);
    assert.equal(events.length, 3);
    for (const event of events) {
      assert.deepEqual(event.context, context);
      assert.deepEqual(event.metadata, more.metadata);
    }
  },
  "event:null-payload": async ({ wire }) => {
    assertDecided(await askEvent(wire, eventOf("pre_action", { payload: null })));
  },
};
