import { setTimeout as sleep } from "node:timers/promises";
import { inProcess } from "@fairlead/ahp";
import { describe, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { freshDatabase } from "../support/postgres.ts";
import { action, dataOf, type Stand, stand } from "./support.ts";

const local = (place: Stand) => inProcess(place.harness.server, place.harness.local("bot"));
const SECRET = "c0rrect-h0rse-b4ttery";

describe("what a person does not see", () => {
  test("stays in what they edit, and in no log", async () => {
    const place = await stand();
    const agent = await place.agent(local(place));
    const held = agent.decide("pre_action", action("push", { password: SECRET, to: "main" }));
    const question = await place.pending();
    const shown = question.shown as ReturnType<typeof action>;
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    await place.decide(question, { decision: "edited", edited: { ...shown.arguments, to: "branch" } });
    expect(await held).toEqual({
      decision: "modify",
      modified_payload: action("push", { password: SECRET, to: "branch" }),
    });
    expect(JSON.stringify(await place.events("s1"))).not.toContain(SECRET);
  });
});

describe("an edit", () => {
  const TWO = `
rules:
  - { id: ask-push, on: [pre_action], when: 'event.payload.tool_name == "push"', decide: escalate, reason: One. }
  - { id: ask-main, on: [pre_action], when: 'event.payload.tool_name == "merge"', decide: escalate, reason: Two. }
`;

  test("that another rule asks about is asked about, and both decisions are used up together", async () => {
    const place = await stand({ rules: TWO });
    const agent = await place.agent(local(place));
    const ask = () => agent.decide("pre_action", action("push"));
    const held = ask();
    await place.decide(await place.pending(), { decision: "edited", edited: action("merge") });
    const second = await place.pending();
    expect(second).toMatchObject({ reason: "Two.", shown: action("merge") });
    await place.decide(second, { decision: "approved" });
    expect(await held).toEqual({ decision: "modify", modified_payload: action("merge") });
    const states = dataOf(await place.events("s1"), "runtime.supervision.held").map(({ state }) => state);
    expect(states).toEqual(["waiting", "waiting", "delivered", "delivered"]);
  });
});

test("a question that expires is a no, and the next one asks again", async () => {
  const place = await stand({ harness: { limits: { expireMs: 100 } } });
  const agent = await place.agent(local(place));
  const ask = () => agent.decide("pre_action", action("push"));
  const held = ask();
  const first = await place.pending();
  await sleep(120);
  await place.runtime.services.questions.expireDue();
  expect(await held).toEqual({ decision: "block", reason: "Nobody decided in time." });
  const again = ask();
  const second = await place.pending();
  expect(second.request_id).not.toBe(first.request_id);
  await place.decide(second, { decision: "approved" });
  expect(await again).toEqual({ decision: "allow" });
});

test("many agents wait for the same person at once", async () => {
  const place = await stand();
  const agent = await place.agent(local(place));
  const held = Array.from({ length: 50 }, (_, n) => agent.decide("pre_action", action("push", { n })));
  const { questions } = place.runtime.services;
  const all = async () => (await questions.list(SYSTEM_ACTOR, { state: "pending", limit: 100 })).rows;
  await expect.poll(async () => (await all()).length, { timeout: 5_000 }).toBe(50);
  for (const row of await all())
    await questions.decide(SYSTEM_ACTOR, row.request_id, { decision: "approved" });
  expect((await Promise.all(held)).every(({ decision }) => decision === "allow")).toBe(true);
});

test("the same question at the same time is one question", async () => {
  const place = await stand({ harness: { timeoutMs: 300 } });
  const agents = await Promise.all([place.agent(local(place)), place.agent(local(place))]);
  const asked = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (agents[i % 2] as (typeof agents)[0]).decide("pre_action", action("push")),
    ),
  );
  expect(asked.every(({ decision }) => decision === "defer")).toBe(true);
  const { rows } = await place.runtime.services.questions.list(SYSTEM_ACTOR, { state: "pending" });
  expect(rows).toHaveLength(1);
});

test(
  "two processes over one PostgreSQL: asked of one, decided at the other",
  { timeout: 60_000 },
  async () => {
    const store = { postgres: await freshDatabase() };
    const [one, two] = [await stand({ store }), await stand({ store })];
    const [first, second] = [await one.agent(local(one)), await two.agent(local(two))];
    const held = first.decide("pre_action", action("push"));
    const question = await two.pending();
    await two.decide(question, { decision: "approved" });
    expect(await held).toEqual({ decision: "allow" });
    expect(await second.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
    const sessions = await Promise.all([one.session("s1"), two.session("s1")]);
    expect(sessions[0]?.session_id).toBe(sessions[1]?.session_id);
    for (const sessionId of ["nul\u0000", "\ud800", "x".repeat(1_000)]) {
      const odd = await one.agent(local(one), { sessionId, agentId: sessionId });
      expect(await odd.decide("pre_action", action("ls", { sessionId })), sessionId).toEqual({
        decision: "allow",
      });
    }
  },
);
