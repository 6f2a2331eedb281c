import { inProcess } from "@fairlead/ahp";
import { http as httpTransport } from "@fairlead/ahp/http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/harness/listen.ts";
import { action, dataOf, stand, tempDir } from "./support.ts";

const QUICK = { timeoutMs: 250 };

describe("rules answer", () => {
  test("what they say, durable and with the rule", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    expect(await agent.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
    expect(await agent.decide("pre_action", action("rm"))).toEqual({
      decision: "block",
      reason: "Nothing is deleted here.",
    });
    expect(await agent.decide("pre_action", action("install", { name: "x" }))).toEqual({
      decision: "modify",
      modified_payload: action("install", { name: "x", dry_run: true }),
    });
    expect(await agent.decide("pre_action", action("build"))).toMatchObject({
      decision: "defer",
      retry_after_ms: 1234,
    });
    const events = await place.events("s1");
    const answers = dataOf(events, "runtime.supervision.answered");
    expect(answers.map(({ decided_by }) => decided_by)).toEqual([
      "rules",
      "rule:no-rm",
      "rule:dry-install",
      "rule:later-build",
    ]);
    const [first, second] = dataOf(events, "runtime.policy.decision");
    expect(first).toMatchObject({ subject: "pre_action", outcome: "allow" });
    expect(second).toMatchObject({
      rule_id: "no-rm",
      rule_set_hash: expect.any(String),
      input_hash: expect.any(String),
    });
  });

  test("each specialised type with its own decision", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const session_id = "s1";
    expect(await agent.decide("idle", { idle_duration_ms: 1, idle_reason: "x" })).toEqual({
      decision: "allow",
    });
    expect(
      await agent.decide("planning", {
        session_id,
        task_description: "t",
        available_strategies: ["tree_of_thoughts"],
      }),
    ).toMatchObject({ decision: "allow", selected_strategy: "tree_of_thoughts" });
    expect(
      await agent.decide("rate_limit", {
        session_id,
        limit_type: "llm_token_limit",
        retry_after_ms: 70,
        current_usage: "1 of 1",
      }),
    ).toMatchObject({ decision: "retry", retry_after_ms: 70 });
    await expect(
      agent.decide("intent_detection", { session_id, prompt: "p", workspace: "/w" }),
    ).rejects.toMatchObject({ code: "peer_error", rpc: { code: -32603 } });
  });
});

describe("a person decides", () => {
  test("while the agent waits, and nothing else on the connection does", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const held = agent.decide("pre_action", action("push", { to: "main" }));
    const question = await place.pending();
    expect(question).toMatchObject({
      kind: "approval",
      tool_name: "push",
      reason: "Pushes need a person.",
      asked_by: "rule:ask-push",
      shown: action("push", { to: "main" }),
    });
    expect(await agent.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
    await place.decide(question, { decision: "approved" });
    expect(await held).toEqual({ decision: "allow" });
    const answered = dataOf(await place.events("s1"), "runtime.supervision.answered").at(-1);
    expect(answered).toMatchObject({
      source: "person",
      decided_by: "person:operator",
      request_id: question.request_id,
    });
  });

  test("no, with a note", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const held = agent.decide("pre_action", action("push"));
    await place.decide(await place.pending(), { decision: "denied", note: "Not on a Friday." });
    expect(await held).toEqual({ decision: "block", reason: "Not on a Friday." });
    // Asked again soon, nobody is bothered twice.
    expect(await agent.decide("pre_action", action("push"))).toEqual({
      decision: "block",
      reason: "Not on a Friday.",
    });
  });

  test("a change, which passes the rules again", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const held = agent.decide("pre_action", action("push", { to: "main" }));
    await place.decide(await place.pending(), { decision: "edited", edited: { to: "branch" } });
    expect(await held).toEqual({ decision: "modify", modified_payload: action("push", { to: "branch" }) });
    const bad = agent.decide("pre_action", action("push", { to: "next" }));
    await place.decide(await place.pending(), { decision: "edited", edited: action("rm") });
    expect(await bad).toEqual({ decision: "block", reason: "Nothing is deleted here." });
  });

  test("a confirmation is approved or rejected", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const ask = (message: string) =>
      agent.decide("confirmation", { session_id: "s1", confirmation_type: "safety_confirm", message });
    const one = ask("Sure?");
    const question = await place.pending();
    expect(question).toMatchObject({ tool_name: "confirmation", risk: "high" });
    await place.decide(question, { decision: "approved" });
    expect(await one).toEqual({ decision: "approve" });
    const two = ask("Really?");
    await place.decide(await place.pending(), { decision: "denied" });
    expect(await two).toEqual({ decision: "reject", reason: "Denied by operator." });
  });
});

describe("nobody decides in time", () => {
  test("the agent is told to come again, and then gets the decision, once", async () => {
    const place = await stand({ harness: QUICK });
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const ask = () => agent.decide("pre_action", action("push"));
    expect(await ask()).toMatchObject({ decision: "defer", retry_after_ms: 5_000 });
    const question = await place.pending();
    expect(await ask()).toMatchObject({ decision: "defer" });
    expect((await place.pending()).request_id).toBe(question.request_id);
    await place.decide(question, { decision: "approved" });
    expect(await ask()).toEqual({ decision: "allow" });
    // An approval is for one action: the same again asks again.
    expect(await ask()).toMatchObject({ decision: "defer" });
    expect((await place.pending()).request_id).not.toBe(question.request_id);
  });

  const EVENT = {
    event_type: "pre_action" as const,
    session_id: "s1",
    agent_id: "a1",
    timestamp: "2026-05-01T00:00:00Z",
    depth: 0,
    payload: action("push"),
  };

  test("an answer that arrived is not given again, not even to the same event, nor in a batch", async () => {
    const place = await stand({ harness: QUICK });
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const held = agent.decideEvent(EVENT);
    await place.decide(await place.pending(), { decision: "approved" });
    expect(await held).toEqual({ decision: "allow" });
    const repeats = await agent.batchEvents(Array.from({ length: 100 }, () => EVENT));
    expect(repeats.filter(({ decision }) => decision === "allow")).toEqual([]);
    expect(await agent.decideEvent(EVENT)).toMatchObject({ decision: "defer" });
  });

  test("an answer that may be lost is given again to the same event, once, and not in a batch", async () => {
    const store = { sqlite: join(tempDir(), "data") };
    const before = await stand({ harness: QUICK, store });
    const first = await before.agent(inProcess(before.harness.server, before.harness.local("bot")));
    const held = first.decideEvent(EVENT);
    await before.decide(await before.pending(), { decision: "approved" });
    expect(await held).toEqual({ decision: "allow" });
    await before.close();
    // The process after it cannot know whether the agent heard.
    const place = await stand({ harness: QUICK, store });
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const other = { ...EVENT, timestamp: "2026-05-01T00:00:09Z" };
    expect(await agent.decideEvent(EVENT)).toEqual({ decision: "allow" });
    expect(await agent.decideEvent(EVENT)).toMatchObject({ decision: "defer" });
    expect(await agent.decideEvent(other)).toMatchObject({ decision: "defer" });
  });

  test("an answer that may be lost is not given to a batch", async () => {
    const store = { sqlite: join(tempDir(), "data") };
    const before = await stand({ harness: QUICK, store });
    const first = await before.agent(inProcess(before.harness.server, before.harness.local("bot")));
    const held = first.decideEvent(EVENT);
    await before.decide(await before.pending(), { decision: "approved" });
    await held;
    await before.close();
    const place = await stand({ harness: QUICK, store });
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const [answer] = await agent.batchEvents([EVENT]);
    expect(answer).toMatchObject({ decision: "defer" });
  });

  test("a confirmation is escalated", async () => {
    const place = await stand({ harness: QUICK });
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const payload = { session_id: "s1", confirmation_type: "user_confirm" as const, message: "Sure?" };
    expect(await agent.decide("confirmation", payload)).toEqual({ decision: "escalate" });
    await place.decide(await place.pending(), { decision: "approved" });
    expect(await agent.decide("confirmation", payload)).toEqual({ decision: "approve" });
  });

  test("an agent that hung up gets the decision when it asks again", async () => {
    const place = await stand();
    const { http = "", close } = await listen(place.harness, {
      http: { host: "127.0.0.1", port: 0 },
      localAgent: "bot",
    });
    onTestFinished(close);
    const remote = () => httpTransport({ url: http, auth: { token: place.site.tokens.agent } });
    const first = await place.agent(remote());
    const gaveUp = new AbortController();
    const lost = first.decide("pre_action", action("push"), { signal: gaveUp.signal }).catch(() => "lost");
    const question = await place.pending();
    gaveUp.abort();
    expect(await lost).toBe("lost");
    await sleep(50);
    await place.decide(question, { decision: "approved" });
    const second = await place.agent(remote());
    expect(await second.decide("pre_action", action("push"))).toEqual({ decision: "allow" });
  });
});

describe("a batch", () => {
  test("never waits: what a person must decide is deferred, and asked", async () => {
    const place = await stand();
    const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
    const entries = [
      { type: "pre_action", payload: action("ls") },
      { type: "pre_action", payload: action("push") },
      { type: "post_action", payload: { status: "ok" } },
      { type: "pre_action", payload: action("rm") },
    ] as const;
    const start = performance.now();
    const decisions = await agent.batch(entries);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(decisions.map(({ decision }) => decision)).toEqual(["allow", "defer", "allow", "block"]);
    await place.decide(await place.pending(), { decision: "approved" });
    expect((await agent.batch(entries)).map(({ decision }) => decision)).toEqual([
      "allow",
      "allow",
      "allow",
      "block",
    ]);
  });
});
