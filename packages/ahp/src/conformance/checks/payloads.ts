import assert from "node:assert/strict";

import type { EventType } from "../../protocol/events.ts";
import { AHP_EVENTS } from "../../protocol/events.ts";
import type { ServerCheck, ServerChecks } from "../check.ts";
import { eventOf } from "../samples/messages.ts";
import { BROKEN, FULL, MINIMAL } from "../samples/payloads.ts";
import { scripted } from "../script.ts";
import type { Trial } from "../trial.ts";
import { ask, askEvent, assertError, heard, tell } from "../trial.ts";

const TYPED = Object.keys(BROKEN) as (keyof typeof BROKEN)[];

const CONTRACT = TYPED.filter((type) => AHP_EVENTS[type].contract);

/** Delivers an event the way its type wants, and gives the payload that the handler saw. */
async function delivered({ wire, tag }: Trial, type: EventType, payload: unknown): Promise<unknown> {
  const name = tag();
  const event = eventOf(type, { payload, ...scripted({ tag: name }) });
  if (AHP_EVENTS[type].blocking) assert.ok((await askEvent(wire, event)).result, "refused");
  else await tell(wire, "ahp/event", event);
  const [seen, ...more] = await heard(wire, name);
  assert.ok(seen, "the handler did not hear it");
  assert.equal(more.length, 0);
  return seen.payload;
}

/** A reader adds defaults; everything that was sent must still be there. */
function taken(type: EventType, payload: unknown): ServerCheck {
  return async (trial) => {
    assert.partialDeepStrictEqual(await delivered(trial, type, payload), payload);
  };
}

/** A payload as a newer minor version might send it: more on every level. */
function newer(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload.map(newer);
  if (typeof payload !== "object" || payload === null) return payload;
  const known = Object.entries(payload).map(([key, value]) => [key, newer(value)]);
  // One key is the tag of a variant: another beside it would be another variant.
  if (known.length === 1) return Object.fromEntries(known);
  return { ...Object.fromEntries(known), new_in_2_5: { amount: 1, unit: null } };
}

function takenInBatch(type: EventType): ServerCheck {
  return async ({ wire, tag }) => {
    const name = tag();
    const payload = newer(FULL[type]);
    await ask(wire, "ahp/batch", { events: [eventOf(type, { payload, ...scripted({ tag: name }) })] });
    assert.partialDeepStrictEqual((await heard(wire, name))[0]?.payload, payload);
  };
}

function broken(type: keyof typeof BROKEN): ServerCheck {
  return async ({ wire, tag }) => {
    const name = tag();
    const event = eventOf(type, { payload: BROKEN[type], ...scripted({ tag: name }) });
    assertError(await askEvent(wire, event), -32602);
    assert.deepEqual(await heard(wire, name), [], "a broken payload was handled");
  };
}

function brokenNotification(type: keyof typeof BROKEN): ServerCheck {
  return async ({ wire, tag }) => {
    const name = tag();
    await tell(wire, "ahp/event", eventOf(type, { payload: BROKEN[type], ...scripted({ tag: name }) }));
    assert.deepEqual(await heard(wire, name), [], "a broken payload was handled");
  };
}

function brokenInBatch(type: keyof typeof BROKEN): ServerCheck {
  return async ({ wire, tag }) => {
    const name = tag();
    const good = eventOf("pre_action", scripted({ tag: name }));
    const bad = eventOf(type, { payload: BROKEN[type], ...scripted({ tag: name }) });
    assertError(await ask(wire, "ahp/batch", { events: [good, bad] }), -32602);
    assert.deepEqual(await heard(wire, name), [], "entries of a bad batch were handled");
  };
}

export const payloads: ServerChecks = {
  ...Object.fromEntries(TYPED.map((type) => [`payload:${type}:minimal`, taken(type, MINIMAL[type])])),
  ...Object.fromEntries(TYPED.map((type) => [`payload:${type}:full`, taken(type, FULL[type])])),
  ...Object.fromEntries(TYPED.map((type) => [`payload:${type}:newer`, taken(type, newer(FULL[type]))])),
  ...Object.fromEntries(CONTRACT.map((type) => [`payload:${type}:newer-in-batch`, takenInBatch(type)])),
  ...Object.fromEntries(
    TYPED.filter((type) => AHP_EVENTS[type].blocking).map((type) => [`payload:${type}:broken`, broken(type)]),
  ),
  ...Object.fromEntries(
    CONTRACT.flatMap((type) => [
      [`contract:${type}:notification`, brokenNotification(type)],
      [`contract:${type}:batch`, brokenInBatch(type)],
    ]),
  ),
  "payload:context_perception:defaults": async (trial) => {
    const constraints = { max_results: null };
    const payload = { ...MINIMAL.context_perception, urgency: null, constraints };
    const seen = (await delivered(trial, "context_perception", payload)) as Record<string, unknown>;
    assert.equal(seen["domain"], "general");
    assert.equal(seen["preferred_modality"], "any");
    assert.equal(seen["urgency"], "normal");
    assert.equal(seen["freshness"], "static");
    assert.deepEqual(seen["constraints"], { include_sources: true });
  },
};
