import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { ADA, CHANGE, DONE, model, staged } from "../kernel/support.ts";
import { look, writer } from "../golden/scene.ts";
import { ADMIN, codeOf, everything, handTime, settle, world } from "../support/world.ts";

/** Two processes, one after the other, on one log. */
function pair() {
  const time = handTime();
  const store = openMemoryStore({ clock: time.clock });
  const make = (mark: string) =>
    world({ store, time, mark, tools: [look, writer], models: [model([CHANGE], [DONE])] });
  return { time, before: make("a"), after: () => make("b") };
}

describe("a session whose oldest events were trimmed", () => {
  it("is what it was for the next process: its modes hold, and what was said is known", async () => {
    const { before, after } = pair();
    const { sessions, turns } = before.services;
    const { session_id } = await sessions.create(ADA, { permission_mode: "plan" });
    await turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const known = await loadCarried(before.log, session_id);
    const { head_seq } = await sessions.get(ADA, session_id);
    await sessions.trim(ADMIN, session_id, head_seq);
    const w = after();
    const { state } = await loadCarried(w.log, session_id);
    expect(state.settings).toEqual(known.state.settings);
    expect(state.messages).toEqual(known.state.messages);
    await w.services.turns.start(ADA, session_id, { input: "Change it." });
    await settle();
    const modes = (await everything(w.log, session_id)).find(
      ({ type }) => type === "runtime.policy.decision",
    );
    expect(modes?.data).toMatchObject({ subject: "turn_runtime", permission_mode: "plan" });
  });

  it("is what it is now for the process that knows it from before, and was not told of what was dropped", async () => {
    const { before, after } = pair();
    const { session_id } = await before.services.sessions.create(ADA, { permission_mode: "full_access" });
    await before.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const other = after().services.sessions;
    await other.configure(ADA, session_id, { permission_mode: "plan" });
    const { head_seq } = await other.get(ADA, session_id);
    await other.trim(ADMIN, session_id, head_seq);
    await before.services.turns.start(ADA, session_id, { input: "Change it." });
    await settle();
    const modes = (await everything(before.log, session_id)).find(
      ({ type }) => type === "runtime.policy.decision",
    );
    expect(modes?.data).toMatchObject({ subject: "turn_runtime", permission_mode: "plan" });
    expect(before.reported).toEqual([]);
  });

  it("goes on with a snapshot by the rules from before, which is all that is left", async () => {
    const { before, after } = pair();
    const { session_id } = await before.services.sessions.create(ADA, { permission_mode: "plan" });
    await before.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const known = await loadCarried(before.log, session_id);
    const { state, tally } = known;
    const data = { fold: "6", upto: state.seq, state: { state, tally } };
    const events = [{ type: "runtime.session.snapshot", seal: true, data } as const];
    await before.log.append({ writes: [{ stream: session_id, events }] });
    await before.log.trim(session_id, known.state.seq);
    const w = after();
    expect((await loadCarried(w.log, session_id)).state.messages).toEqual(known.state.messages);
    await w.services.turns.start(ADA, session_id, { input: "Look." });
    await settle();
    expect((await loadCarried(w.log, session_id)).state.messages.length).toBeGreaterThan(
      known.state.messages.length,
    );
  });

  it("holds its modes also where the log was trimmed with nothing kept", async () => {
    const { before, after } = pair();
    const { session_id } = await before.services.sessions.create(ADA, { permission_mode: "plan" });
    await before.services.turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const { head_seq } = await before.services.sessions.get(ADA, session_id);
    await before.log.trim(session_id, head_seq);
    const { state } = await loadCarried(after().log, session_id);
    expect(state.settings).toMatchObject({ kind: "chat", permission_mode: "plan" });
  });
});

describe("a branch of a trimmed session", () => {
  it("begins only where the session is known as it was: a place before that would lose its modes", async () => {
    const { before } = pair();
    const { sessions, turns, branches } = before.services;
    const { session_id } = await sessions.create(ADA, { permission_mode: "plan" });
    await turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const { id = "" } =
      (await everything(before.log, session_id)).find(({ type }) => type === "runtime.request.completed") ??
      {};
    const trimmed = await sessions.trim(ADMIN, session_id, 3);
    const refused = branches.branch(ADA, session_id, { from_event_id: id });
    expect(await codeOf(refused)).toBe("history_trimmed");
    expect(trimmed.floor_seq).toBe(3);
    const made = await branches.branch(ADA, session_id, {});
    expect(made.state).toMatchObject({ permission_mode: "plan" });
  });
});

describe("a trim of what an open turn needs", () => {
  it("is refused, nothing is dropped, and the next process goes on with it", async () => {
    const { before, after } = pair();
    const play = staged(before, await before.services.kernel.start(ADA, { task: "Change it." }));
    await play.until("awaiting_approval");
    const all = await play.events();
    const trimmed = before.services.sessions.trim(ADMIN, play.session, all.length);
    expect(await codeOf(trimmed)).toBe("turn_active");
    expect(await play.events()).toEqual(all);
    const next = staged(after(), play.first);
    await next.decide("approved");
    await next.until("completed");
  });

  it("is waited with while who has just ended a turn still holds the session", async () => {
    const { before, time } = pair();
    const { sessions } = before.services;
    const { session_id } = await sessions.create(ADA, {});
    const lease = await before.log.acquireLease(session_id, "another-process", 60_000);
    const trimmed = sessions.trim(ADMIN, session_id, 1);
    await settle();
    if (lease !== undefined) await before.log.releaseLease(lease);
    await time.advance(20);
    expect(await trimmed).toMatchObject({ floor_seq: 1 });
  });

  it("is made up to a snapshot that stands for what is dropped", async () => {
    const { before } = pair();
    const { sessions, turns } = before.services;
    const { session_id } = await sessions.create(ADA, {});
    await turns.start(ADA, session_id, { input: "Hi" });
    await settle();
    const [question] = (await before.services.questions.list(ADA, { state: "pending" })).rows;
    await before.services.questions.decide(ADA, question?.request_id ?? "", { decision: "denied" });
    await settle();
    const kept = (await sessions.trim(ADMIN, session_id, 2)).head_seq;
    await turns.start(ADA, session_id, { input: "Again." });
    await settle();
    expect((await sessions.get(ADA, session_id)).status).toBe("awaiting_approval");
    expect(await sessions.trim(ADMIN, session_id, kept - 1)).toMatchObject({ floor_seq: kept - 1 });
    expect(await codeOf(sessions.trim(ADMIN, session_id, kept))).toBe("turn_active");
  });
});

describe("a session whose log does not say what its row does", () => {
  it("is looked at a few times, and holds up nothing", async () => {
    const { before, after } = pair();
    const play = staged(before, await before.services.kernel.start(ADA, { task: "Change it." }));
    const { head_seq } = await play.until("awaiting_approval");
    await before.log.trim(play.session, head_seq);
    const w = after();
    await staged(w, play.first).decide("approved");
    await settle();
    expect(w.reported).toMatchObject([{ message: expect.stringContaining("nothing comes of it") }]);
  });
});
