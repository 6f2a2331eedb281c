import { inProcess } from "@fairlead/ahp";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type StreamId, SYSTEM_STREAM } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { createHeartbeats, HEARTBEAT_DEFAULTS } from "../../src/harness/heartbeats.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { everything } from "../support/world.ts";
import { action, dataOf, type Stand, stand, tempDir } from "./support.ts";

const HEARTBEAT = { uptime_ms: 1, total_events_processed: 1, current_state: "busy", tokens_used: 40 };
const local = (place: Stand) => inProcess(place.harness.server, place.harness.local("bot"));

/** Notifications are not answered: waits until the log has so many of a type. */
async function until(place: Stand, type: string, count = 1) {
  for (;;) {
    const events = await place.events("s1").catch(() => []);
    const found = dataOf(events, type);
    if (found.length >= count) return found;
    await sleep(5);
  }
}

describe("what an agent tells", () => {
  test("is in the catalogue's words", async () => {
    const place = await stand();
    const agent = await place.agent(local(place));
    const run = { run_id: "r1", session_id: "s1", updated_at: "2026-05-01T00:00:00Z" };
    await agent.notify("run_lifecycle", { ...run, status: "executing", prompt: "fix it" });
    await agent.notify("task_list", { ...run, tasks: [{ id: "t1", title: "Look", status: "in_progress" }] });
    await agent.notify("verification", { ...run, status: "passed" });
    await agent.notify("heartbeat", HEARTBEAT);
    await agent.notify("post_action", { status: "ok" });
    await agent.notify("error", { message: "Oh." });
    await agent.notify("run_lifecycle", { ...run, status: "completed" });
    const [, done] = await until(place, "runtime.run.lifecycle", 2);
    expect(done).toMatchObject({ run_id: "r1", status: "completed" });
    const events = await place.events("s1");
    expect(dataOf(events, "runtime.task.list")[0]).toMatchObject({ tasks: [{ id: "t1" }] });
    expect(dataOf(events, "runtime.verification.reported")[0]).toMatchObject({ status: "passed" });
    expect(dataOf(events, "agent.heartbeat")[0]).toMatchObject(HEARTBEAT);
    expect(dataOf(events, "runtime.adapter.event").map(({ event }) => event)).toMatchObject([
      { adapter: "ahp", phase: "ahp.post_action", payload: { status: "ok" } },
      { adapter: "ahp", phase: "ahp.error", payload: { message: "Oh." } },
    ]);
    expect(await place.session("s1")).toMatchObject({ status: "completed", kind: "supervised" });
  });

  test("keeps what came around it, and what no form knows", async () => {
    const place = await stand();
    const agent = await place.agent(local(place));
    const event = {
      session_id: "s1",
      agent_id: "a1",
      timestamp: "2026-05-01T00:00:00Z",
      depth: 2,
      metadata: { trace: "t-1" },
    };
    await agent.notifyEvent({
      ...event,
      event_type: "heartbeat",
      payload: { ...HEARTBEAT, gpu: "hot" } as typeof HEARTBEAT,
    });
    const [beat] = await until(place, "agent.heartbeat");
    expect(beat).toMatchObject({
      ...HEARTBEAT,
      gpu: "hot",
      ahp_envelope: { timestamp: "2026-05-01T00:00:00Z", depth: 2, metadata: { trace: "t-1" } },
    });
  });

  test("nonsense before a greeting is recorded where no session is, a flood of it once", async () => {
    const place = await stand();
    const connection = place.harness.server.connect({
      transport: "test",
      context: place.harness.local("bot"),
    });
    const bad = JSON.stringify({ jsonrpc: "2.0", method: "ahp/event", params: { event_type: "task_list" } });
    for (let i = 0; i < 20; i++) await connection.receive(bad);
    const noted = async () =>
      dataOf(await everything(place.runtime.log, SYSTEM_STREAM), "runtime.transport.diagnostic");
    await expect.poll(noted).toHaveLength(1);
    await sleep(50);
    expect(await noted()).toMatchObject([
      { kind: "ahp_message", status: "ignored", details: { actor: "bot", transport: "test" } },
    ]);
  });

  test("an action after the end means that it goes on", async () => {
    const place = await stand();
    const agent = await place.agent(local(place));
    await agent.decide("pre_action", action("ls"));
    await agent.notify("session_end", {});
    await expect.poll(async () => (await place.session("s1")).status).toBe("completed");
    await agent.decide("pre_action", action("ls"));
    expect(await place.session("s1")).toMatchObject({ status: "running" });
  });

  test("nonsense is refused, and the log says that it came", async () => {
    const place = await stand();
    const connection = place.harness.server.connect({
      transport: "test",
      context: place.harness.local("bot"),
    });
    const hello = {
      protocol_version: "2.4",
      agent_info: { framework: "x", version: "1", capabilities: [] },
      session_id: "s1",
      agent_id: "a1",
    };
    await connection.receive(
      JSON.stringify({ jsonrpc: "2.0", id: "1", method: "ahp/handshake", params: hello }),
    );
    await connection.receive(
      JSON.stringify({ jsonrpc: "2.0", method: "ahp/event", params: { event_type: "task_list" } }),
    );
    const [noted] = await until(place, "runtime.transport.diagnostic");
    expect(noted).toMatchObject({ kind: "ahp_message", status: "ignored" });
  });
});

describe("an agent's name for its session", () => {
  test("finds it again, whoever connects; a purged one is begun anew", async () => {
    const place = await stand();
    const first = await place.agent(local(place));
    await first.decide("pre_action", action("ls"));
    const { session_id } = await place.session("s1");
    const second = await place.agent(local(place), { agentId: "a2" });
    await second.decide("pre_action", action("ls"));
    expect((await place.session("s1")).session_id).toBe(session_id);
    await place.runtime.services.sessions.purge(SYSTEM_ACTOR, session_id, "test");
    expect(await second.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
  });

  test("may be anything", async () => {
    const place = await stand();
    for (const sessionId of ["", "ses_looksLikeOurs", "x".repeat(1_000), "nul\u0000", "日本", "__proto__"]) {
      const agent = await place.agent(local(place), { sessionId });
      expect(await agent.decide("pre_action", action("ls")), sessionId.slice(0, 20)).toEqual({
        decision: "allow",
      });
    }
  });
});

describe("queries", () => {
  test("tell an agent about itself", async () => {
    const place = await stand({ harness: { timeoutMs: 200, limits: { budget: { actions: 5 } } } });
    const agent = await place.agent(local(place));
    expect(await agent.query("session_state", {})).toMatchObject({
      answer: null,
      reason: expect.any(String),
    });
    await agent.decide("pre_action", action("ls"));
    await agent.decide("pre_action", action("push"));
    await agent.notify("heartbeat", HEARTBEAT);
    await until(place, "agent.heartbeat");
    expect(await agent.query("session_state", {})).toMatchObject({
      answer: {
        kind: "supervised",
        status: "awaiting_approval",
        stats: { total_actions: 1, total_tokens: 40 },
        history: { tools: { ls: 1, push: 1 } },
      },
    });
    expect(await agent.query("pending_approvals", {})).toMatchObject({
      answer: [{ tool_name: "push", reason: "Pushes need a person." }],
    });
    expect(await agent.query("policy", {})).toMatchObject({
      answer: { rule_set_hash: expect.any(String), rules: 4 },
    });
    expect(await agent.query("budget", {})).toMatchObject({
      answer: { limits: { actions: 5 }, used: { actions: 1, tokens: 40 } },
    });
    expect(await agent.query("weather", {})).toMatchObject({
      answer: null,
      alternatives: expect.arrayContaining(["budget"]),
    });
  });
});

describe("rules see the history", () => {
  const LIMITED = `
rules:
  - id: three-is-enough
    on: [pre_action]
    when: history.event("pre_action") >= 3 || stats.error_count > 0
    decide: block
    reason: Enough.
`;

  test("as the log has it", async () => {
    const place = await stand({ rules: LIMITED });
    const agent = await place.agent(local(place));
    const decisions = [];
    for (let i = 0; i < 5; i++) decisions.push((await agent.decide("pre_action", action("ls"))).decision);
    expect(decisions).toEqual(["allow", "allow", "allow", "block", "block"]);
  });

  test("also what was trimmed, in the process that comes after", async () => {
    const store = { sqlite: join(tempDir(), "data") };
    const before = await stand({ rules: LIMITED, store });
    const agent = await before.agent(local(before));
    for (let i = 0; i < 3; i++) await agent.decide("pre_action", action("ls"));
    const { session_id } = await before.session("s1");
    const last = (await before.events("s1")).at(-1)?.seq ?? 0;
    await before.runtime.services.sessions.trim(SYSTEM_ACTOR, session_id, last);
    await before.close();
    const after = await stand({ rules: LIMITED, store });
    const again = await after.agent(local(after));
    expect(await again.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
  });
});

describe("heartbeats that stop", () => {
  test("are forgotten once flagged, and never more than so many are listened to", async () => {
    const place = await stand();
    const heartbeats = createHeartbeats({
      log: place.runtime.log,
      clock: systemClock,
      timers: systemTimers,
      report: () => {},
      ...HEARTBEAT_DEFAULTS,
      assumedMs: 10,
      most: 100,
    });
    for (let i = 0; i < 500; i++) heartbeats.beat(`ses_${i}` as StreamId);
    expect(heartbeats.size).toBe(100);
    await expect.poll(() => heartbeats.size).toBe(0);
    heartbeats.stop();
  });

  test("are flagged also by the process that comes after", async () => {
    const store = { sqlite: join(tempDir(), "data") };
    const before = await stand({ store });
    const agent = await before.agent(local(before));
    await agent.notify("heartbeat", HEARTBEAT);
    await until(before, "agent.heartbeat");
    await before.close();
    const after = await stand({ store, harness: { heartbeat: { assumedMs: 30, shortestMs: 10 } } });
    await after.harness.start();
    expect((await until(after, "runtime.health.snapshot"))[0]).toMatchObject({ flags: ["heartbeat_missed"] });
  });

  test("are flagged once, and so is their return", async () => {
    const place = await stand({ harness: { heartbeat: { assumedMs: 30, shortestMs: 10 } } });
    const agent = await place.agent(local(place));
    await agent.notify("heartbeat", HEARTBEAT);
    const [flagged] = await until(place, "runtime.health.snapshot");
    expect(flagged).toMatchObject({ flags: ["heartbeat_missed"] });
    await sleep(150);
    await agent.notify("heartbeat", HEARTBEAT);
    const seen = await until(place, "runtime.health.snapshot", 2);
    expect(seen[1]).toMatchObject({ flags: [] });
    await agent.notify("session_end", {});
    await sleep(150);
    const after = dataOf(await place.events("s1"), "runtime.health.snapshot").length;
    expect(after).toBeLessThanOrEqual(3);
  });
});

test("a session waits while a question of its agent is open", async () => {
  const place = await stand();
  const agent = await place.agent(local(place));
  const held = agent.decide("pre_action", action("push"));
  const question = await place.pending();
  expect(await place.session("s1")).toMatchObject({ status: "awaiting_approval" });
  await place.decide(question, { decision: "approved" });
  await held;
  expect(await place.session("s1")).toMatchObject({ status: "running" });
});
