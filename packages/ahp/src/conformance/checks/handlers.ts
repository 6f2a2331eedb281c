import assert from "node:assert/strict";

import type { EventType } from "../../protocol/events.ts";
import type { ServerCheck, ServerChecks } from "../check.ts";
import { SPECIALISED } from "../requirements/handlers.ts";
import { BAD_DECISIONS, NULL_MODIFY } from "../samples/decisions.ts";
import { eventOf } from "../samples/messages.ts";
import { scripted } from "../script.ts";
import type { Trial } from "../trial.ts";
import { ask, askEvent, assertError, assertResult } from "../trial.ts";
import type { Answered } from "../wires/wire.ts";

async function askGeneric(trial: Trial, type: EventType): Promise<Answered> {
  return askEvent(await trial.generic(), eventOf(type));
}

function unsupported(type: EventType): ServerCheck {
  return async (trial) => assertError(await askGeneric(trial, type), -32603);
}

export const handlers: ServerChecks = {
  "generic:idle": async (trial) => {
    assertResult(await askGeneric(trial, "idle"), { decision: "allow" });
  },
  ...Object.fromEntries(SPECIALISED.map((type) => [`generic:${type}`, unsupported(type)])),
  "handler:failed": async ({ wire, tag }) => {
    for (const type of ["pre_action", "planning", "confirmation"] as const) {
      const event = eventOf(type, scripted({ tag: tag(), fail: "out of order" }));
      assertError(await askEvent(wire, event), -32603);
    }
  },
  "handler:bad-decision": async ({ wire, tag }) => {
    for (const [type, answer] of Object.entries(BAD_DECISIONS)) {
      const event = eventOf(type as EventType, scripted({ tag: tag(), answer }));
      assertError(await askEvent(wire, event), -32603);
    }
  },
  "handler:null-modify": async ({ wire, tag }) => {
    for (const type of ["pre_action", "pre_prompt"] as const) {
      const event = eventOf(type, scripted({ tag: tag(), answer: NULL_MODIFY }));
      assertError(await askEvent(wire, event), -32603);
    }
    const entry = eventOf("pre_action", scripted({ tag: tag(), answer: NULL_MODIFY }));
    const { result } = await ask(wire, "ahp/batch", { events: [entry] });
    assert.equal((result as { decisions: { decision: string }[] }).decisions[0]?.decision, "block");
  },
  "handler:unsent-null": async ({ wire, tag }) => {
    const answer = { decision: "allow", modified_payload: null, metadata: null };
    const event = eventOf("pre_action", scripted({ tag: tag(), answer }));
    assertResult(await askEvent(wire, event), { decision: "allow" });
  },
};
