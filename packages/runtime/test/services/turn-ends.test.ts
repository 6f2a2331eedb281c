import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { type World, actor, codeOf, errorOf, everything, handTime, settle, world } from "../support/world.ts";

const ADA = actor("operator", "ada");
const HANG = { steps: [{ say: "I begin" }, { hang: true as const }] };

async function running(w: World): Promise<{ session: SessionId; turn_id: string }> {
  const session = (await w.services.sessions.create(ADA, {})).session_id;
  const { turn_id } = await w.services.turns.start(ADA, session, { input: "Hi" });
  await settle();
  return { session, turn_id };
}

async function tail(log: EventLog, session: SessionId, count: number): Promise<readonly AnyEvent[]> {
  return (await everything(log, session)).slice(-count);
}

/** Two processes over one store. */
function twoProcesses(
  wrapFirst?: (log: EventLog) => EventLog,
  steps: readonly Step[] = HANG.steps,
): { first: World; second: World } {
  const time = handTime();
  const store = openMemoryStore({ clock: time.clock });
  return {
    first: world({ ...HANG, time, store, mark: "a", wrap: wrapFirst }),
    second: world({ steps, time, store, mark: "b" }),
  };
}

describe("the end of a turn", () => {
  it("is recorded when a cancel resolves, once, with what was said before", async () => {
    const w = world(HANG);
    const { session, turn_id } = await running(w);
    expect(await w.services.turns.cancel(ADA, session, "changed my mind")).toEqual({ turn_id });
    const events = await tail(w.log, session, 7);
    expect(events.map((event) => event.type)).toEqual([
      "agent.output.delta",
      "agent.output.superseded",
      "runtime.cognition.summary",
      "runtime.turn.ended",
      "runtime.request.cancelled",
      "runtime.run.lifecycle",
      "runtime.session.state",
    ]);
    expect(events[3]?.data).toEqual({
      turn_id,
      status: "cancelled",
      reason: "changed my mind",
      actor: "ada",
    });
    expect(events[6]?.data).toMatchObject({ status: "idle", process_id: null });
    expect(await codeOf(w.services.turns.cancel(ADA, session))).toBe("turn_not_found");
  });

  it("is one, however many cancel at once", async () => {
    const w = world(HANG);
    const { session, turn_id } = await running(w);
    const all = await Promise.all(Array.from({ length: 5 }, () => w.services.turns.cancel(ADA, session)));
    expect(all).toEqual(Array.from({ length: 5 }, () => ({ turn_id })));
    expect(
      (await everything(w.log, session)).filter((event) => event.type === "runtime.turn.ended"),
    ).toHaveLength(1);
  });

  it("comes from the process that drives it: elsewhere a start says where", async () => {
    const { first, second } = twoProcesses();
    const { session, turn_id } = await running(first);
    expect(await errorOf(second.services.turns.start(ADA, session, { input: "Hi" }))).toMatchObject({
      code: "turn_active",
      details: { turn_id, process_id: "hosta:1" },
    });
    expect(await second.services.turns.recover()).toBe(0);
    await first.services.turns.cancel(ADA, session);
    await second.services.turns.start(ADA, session, { input: "Hi" });
  });

  it("keeps the lease while it lasts", async () => {
    const { first, second } = twoProcesses();
    const { session } = await running(first);
    await first.time.advance(55_000);
    expect(await second.services.turns.recover()).toBe(0);
    expect((await first.services.sessions.get(ADA, session)).turn_id).not.toBeNull();
  });

  const WAYS: readonly (readonly [
    string,
    (w: World, session: SessionId) => Promise<unknown>,
    readonly string[],
  ])[] = [
    ["recovery", ({ services }) => services.turns.recover(), ["completed"]],
    ["a cancel", ({ services }, session) => services.turns.cancel(ADA, session), ["cancelled"]],
    [
      "the next start, which is refused,",
      async ({ services }, session) =>
        expect(await codeOf(services.turns.start(ADA, session, { input: "next" }))).toBe("turn_active"),
      ["completed"],
    ],
    [
      "the next request that waits for it, which follows it,",
      ({ services }, session) => services.turns.queue(ADA, session, { input: "next" }),
      ["completed", "completed"],
    ],
  ];
  it.each(WAYS)(
    "comes by %s when its process is gone, and that process appends nothing more",
    async (_, act, statuses) => {
      // The first process is dead to the world: its lease is not renewed, though it still tries to write.
      const { first, second } = twoProcesses(
        (log) => ({ ...log, renewLease: () => new Promise<never>(() => {}) }),
        [{ say: "All of it." }],
      );
      const { session, turn_id } = await running(first);
      await first.time.advance(10_001);
      await act(second, session);
      for (let i = 0; i < 8; i++) await settle();
      const events = await everything(first.log, session);
      const ends = events.filter((event) => event.type === "runtime.turn.ended").map(({ data }) => data);
      expect(ends).toMatchObject(statuses.map((status) => ({ status })));
      expect(ends[0]).toMatchObject({ turn_id });
      if (statuses[0] === "completed") {
        const resumed = events.findIndex((event) => event.type === "runtime.turn.resumed");
        expect(events[resumed]).toMatchObject({ turn_id, data: { attempt: 2 } });
        // What the first had half said does not count.
        expect(events.slice(resumed)).toContainEqual(
          expect.objectContaining({
            type: "agent.output.superseded",
            data: expect.objectContaining({ step: 1, attempt: 1 }),
          }),
        );
        expect(events).toContainEqual(
          expect.objectContaining({
            type: "runtime.request.completed",
            data: { turn_id, output: "All of it." },
          }),
        );
      }
      const head = (await second.log.stream(session))?.head_seq;
      // Now it wakes up and wants to let go of its turn.
      await first.services.turns.stop("too late");
      await settle();
      expect((await second.log.stream(session))?.head_seq).toBe(head);
      expect([...first.reported, ...second.reported]).toEqual([]);
    },
  );

  it("stops driving a session when the lease is lost", async () => {
    let held = true;
    const { first, second } = twoProcesses((log) => ({
      ...log,
      renewLease: async (lease, ms) => held && log.renewLease(lease, ms),
    }));
    const { session } = await running(first);
    held = false;
    await first.time.advance(4_000);
    const head = (await first.log.stream(session))?.head_seq;
    await settle();
    expect((await first.log.stream(session))?.head_seq).toBe(head);
    // Nobody drives it now, and the lease was given back.
    expect(await second.services.turns.recover()).toBe(1);
  });

  it("is left to the next process by one that stops: parked, and gone on with at the same place", async () => {
    const { first, second } = twoProcesses(undefined, [{ say: "All of it." }]);
    const one = await running(first);
    const two = await running(first);
    await first.services.turns.queue(ADA, two.session, { input: "And then?" });
    await first.services.turns.stop("The server is stopping.");
    for (const { session, turn_id } of [one, two]) {
      const [ended, state] = await tail(first.log, session, 2);
      expect(ended?.data).toEqual({
        turn_id,
        status: "parked",
        reason: "The server is stopping.",
        waits: [],
      });
      expect(state?.data).toMatchObject({ status: "queued", process_id: null });
    }
    expect(await codeOf(first.services.turns.start(ADA, one.session, { input: "Hi" }))).toBe("shutting_down");
    expect(await second.services.turns.recover()).toBe(2);
    for (let i = 0; i < 8; i++) await settle();
    for (const { session, turn_id } of [one, two])
      expect(await everything(second.log, session)).toContainEqual(
        expect.objectContaining({
          type: "runtime.request.completed",
          data: { turn_id, output: "All of it." },
        }),
      );
    const inputs = (await everything(second.log, two.session)).filter(
      (event) => event.type === "runtime.request.started",
    );
    expect(inputs.map(({ data }) => (data as { input: string }).input)).toEqual(["Hi", "And then?"]);
  });

  it("comes also when the store fails in between", async () => {
    let failures = 0;
    const flaky = (log: EventLog): EventLog => ({
      ...log,
      append: async (append) => {
        const delta = append.writes.some((write) => write.events[0]?.type === "agent.output.delta");
        if (delta && failures++ === 0) throw new Error("disk on fire");
        return log.append(append);
      },
    });
    const w = world({ ...HANG, wrap: flaky });
    const { session, turn_id } = await running(w);
    const [ended, failed] = await tail(w.log, session, 4);
    expect(ended?.data).toMatchObject({ turn_id, status: "failed" });
    expect(failed?.data).toMatchObject({ code: "internal" });
    expect(String(w.reported[0])).toContain("disk on fire");
  });

  it("is left to recovery when the store is lost, and nothing is thrown where nobody listens", async () => {
    let lost = false;
    const w = world({
      ...HANG,
      wrap: (log) => ({
        ...log,
        append: (append) => (lost ? Promise.reject(new Error("gone")) : log.append(append)),
      }),
    });
    const { session } = await running(w);
    lost = true;
    expect(await codeOf(w.services.turns.cancel(ADA, session)).catch((error: Error) => error.message)).toBe(
      "gone",
    );
    lost = false;
    expect(await w.services.turns.recover()).toBe(1);
    await settle();
    expect((await everything(w.log, session)).at(-1)).toMatchObject({
      type: "agent.output.delta",
      data: { attempt: 2 },
    });
    await w.services.turns.cancel(ADA, session);
    expect((await w.services.sessions.get(ADA, session)).turn_id).toBeNull();
  });
});
