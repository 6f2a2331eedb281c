import assert from "node:assert/strict";

import type { ServerChecks } from "../check.ts";
import { eventOf } from "../samples/messages.ts";
import { BROKEN } from "../samples/payloads.ts";
import { scripted } from "../script.ts";
import type { Trial } from "../trial.ts";
import { ask, assertError, assertResult, heard } from "../trial.ts";

const ALLOW = { decision: "allow" };

async function sizeOf({ wire }: Trial, count: number): Promise<unknown> {
  const events = Array.from({ length: count }, () => eventOf("pre_action"));
  return ask(wire, "ahp/batch", { events });
}

/** A batch with one bad entry fails, and nobody hears of the good ones. */
async function failsWhole({ wire, tag }: Trial, bad: unknown, position: number): Promise<void> {
  const name = tag();
  const good = ["pre_action", "post_action", "pre_prompt"] as const;
  const events: unknown[] = good.map((type) => eventOf(type, scripted({ tag: name })));
  events.splice(position, 0, bad);
  assertError(await ask(wire, "ahp/batch", { events }), -32602);
  assert.deepEqual(await heard(wire, name), [], "entries of a bad batch were handled");
}

export const batch: ServerChecks = {
  "batch:order": async ({ wire, tag }) => {
    const answers = [
      { decision: "block", reason: "first" },
      ALLOW,
      { decision: "defer", retry_after_ms: 3 },
      { decision: "modify", modified_payload: { n: 4 } },
    ];
    // The first is the slowest: order must not be that of completion.
    const events = answers.map((answer, index) =>
      eventOf("pre_action", scripted({ tag: tag(), answer, hold_ms: 30 - 10 * index })),
    );
    assertResult(await ask(wire, "ahp/batch", { events }), { decisions: answers });
  },
  "batch:count": async (trial) => {
    for (const count of [1, 2, 7]) {
      const { result } = (await sizeOf(trial, count)) as { result: { decisions: unknown[] } };
      assert.equal(result.decisions.length, count);
    }
  },
  "batch:empty": async ({ wire }) => {
    assertResult(await ask(wire, "ahp/batch", { events: [] }), { decisions: [] });
  },
  "batch:at-limit": async (trial) => {
    const count = trial.config.batch_size ?? 100;
    const { result } = (await sizeOf(trial, count)) as { result: { decisions: unknown[] } };
    assert.equal(result.decisions.length, count);
  },
  "batch:too-large": async (trial) => {
    if (trial.config.batch_size === undefined) return;
    assertError((await sizeOf(trial, trial.config.batch_size + 1)) as never, -32602);
  },
  "batch:params": async ({ wire }) => {
    for (const params of [{}, { events: {} }, { events: "x" }, [], null, { events: [null] }]) {
      assertError(await ask(wire, "ahp/batch", params), -32602);
    }
  },
  "batch:invalid-entry": async (trial) => {
    await failsWhole(trial, eventOf("pre_action", { timestamp: undefined }), 3);
    await failsWhole(trial, eventOf("planning"), 1);
  },
  "batch:invalid-notice": async (trial) => {
    for (const position of [0, 1, 3]) {
      await failsWhole(trial, eventOf("task_list", { payload: BROKEN.task_list }), position);
    }
    await failsWhole(trial, eventOf("post_action", { depth: "deep" }), 3);
  },
  "batch:handler-failed": async ({ wire, tag }) => {
    const bad = eventOf("pre_action", scripted({ tag: tag(), fail: "the rules are on fire" }));
    const answer = await ask(wire, "ahp/batch", { events: [eventOf("pre_action"), bad] });
    const reason = "Handler error: the rules are on fire";
    assertResult(answer, { decisions: [ALLOW, { decision: "block", reason }] });
  },
  "batch:bad-decision": async ({ wire, tag }) => {
    const bad = eventOf("pre_action", scripted({ tag: tag(), answer: { decision: "approve" } }));
    const { result } = await ask(wire, "ahp/batch", { events: [bad] });
    const [decision] = (result as { decisions: { decision: string; reason: string }[] }).decisions;
    assert.equal(decision?.decision, "block");
    assert.match(decision.reason, /^Handler error: /);
  },
  "batch:notice-generic": async ({ generic, tag }) => {
    const wire = await generic();
    const answer = { decision: "block", reason: "too late" };
    const events = [eventOf("post_action", scripted({ tag: tag(), answer })), eventOf("heartbeat")];
    assertResult(await ask(wire, "ahp/batch", { events }), { decisions: [answer, ALLOW] });
  },
  "batch:too-deep": async (trial) => {
    const { max_depth } = trial.config;
    if (max_depth === undefined) return;
    const events = [eventOf("pre_action", { depth: max_depth + 1 })];
    assertError(await ask(trial.wire, "ahp/batch", { events }), -32602);
  },
  "batch:method-types": async ({ wire }) => {
    for (const event_type of ["handshake", "query"]) {
      const events = [eventOf("pre_action", { event_type })];
      assertError(await ask(wire, "ahp/batch", { events }), -32602);
    }
  },
};
