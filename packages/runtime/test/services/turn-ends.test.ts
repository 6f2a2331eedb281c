import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
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
function twoProcesses(wrapFirst?: (log: EventLog) => EventLog): { first: World; second: World } {
  const time = handTime();
  const store = openMemoryStore({ clock: time.clock });
  return {
    first: world({ ...HANG, time, store, mark: "a", wrap: wrapFirst }),
    second: world({ ...HANG, time, store, mark: "b" }),
  };
}

describe("the end of a turn", () => {
  it("is recorded when a cancel resolves, once, with what was said before", async () => {
    const w = world(HANG);
    const { session, turn_id } = await running(w);
    expect(await w.services.turns.cancel(ADA, session, "changed my mind")).toEqual({ turn_id });
    const events = await tail(w.log, session, 4);
    expect(events.map((event) => event.type)).toEqual([
      "agent.output.delta",
      "runtime.turn.ended",
      "runtime.request.cancelled",
      "runtime.session.state",
    ]);
    expect(events[1]?.data).toEqual({ turn_id, status: "cancelled", reason: "changed my mind" });
    expect(events[3]?.data).toMatchObject({ status: "idle", process_id: null });
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

  const WAYS: readonly (readonly [string, (w: World, session: SessionId) => Promise<unknown>, string])[] = [
    ["recovery", ({ services }) => services.turns.recover(), "failed"],
    ["a cancel", ({ services }, session) => services.turns.cancel(ADA, session), "cancelled"],
    [
      "the next start",
      ({ services }, session) => services.turns.start(ADA, session, { input: "next" }),
      "failed",
    ],
  ];
  it.each(WAYS)(
    "comes by %s when its process is gone, and that process appends nothing more",
    async (_, act, status) => {
      // The first process is dead to the world: its lease is not renewed, though it still tries to write.
      const { first, second } = twoProcesses((log) => ({
        ...log,
        renewLease: () => new Promise<never>(() => {}),
      }));
      const { session, turn_id } = await running(first);
      await first.time.advance(10_001);
      await act(second, session);
      await settle();
      const events = await everything(first.log, session);
      const end = events.findIndex((event) => event.type === "runtime.turn.ended");
      expect(events[end]?.data).toMatchObject({ turn_id, status });
      if (status === "failed") expect(events[end + 1]?.data).toMatchObject({ code: "interrupted" });
      const head = (await second.log.stream(session))?.head_seq;
      // Now it wakes up and wants to end its turn.
      await first.services.turns.stop("too late");
      await settle();
      expect((await second.log.stream(session))?.head_seq).toBe(head);
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

  it("comes with the stop of the process, recorded, and no turn begins after that", async () => {
    const w = world(HANG);
    const one = await running(w);
    const two = await running(w);
    await w.services.turns.stop("The server is stopping.");
    for (const { session, turn_id } of [one, two]) {
      const [ended, failed] = await tail(w.log, session, 3);
      expect(ended?.data).toEqual({ turn_id, status: "failed", reason: "interrupted" });
      expect(failed?.data).toEqual({ turn_id, code: "interrupted", error: "The server is stopping." });
    }
    expect(await codeOf(w.services.turns.start(ADA, one.session, { input: "Hi" }))).toBe("shutting_down");
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
    const [ended, failed] = await tail(w.log, session, 3);
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
    expect((await w.services.sessions.get(ADA, session)).turn_id).toBeNull();
  });
});
