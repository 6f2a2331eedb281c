import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDED, KERNEL_TABLE, type KernelEvent, type KernelState, kernelNext } from "./table.ts";

const STATES = Object.keys(KERNEL_TABLE) as KernelState[];
const EVENTS = Object.keys(KERNEL_TABLE.queued) as KernelEvent[];
const state = fc.constantFrom(...STATES);
const event = fc.constantFrom(...EVENTS);

/** Where a walk leads: what is refused changes nothing. */
function walk(from: KernelState, events: readonly KernelEvent[]): KernelState {
  return events.reduce((at, one) => {
    const next = kernelNext(at, one);
    return next.ok ? next.state : at;
  }, from);
}

describe("the states of background work", () => {
  it("are those of the contract, and each answers to everything", () => {
    expect(STATES).toEqual([
      "queued",
      "running",
      "awaiting_approval",
      "paused",
      "recovering",
      "completed",
      "needs_review",
      "failed",
      "cancelled",
    ]);
    for (const one of STATES) expect(Object.keys(KERNEL_TABLE[one]).toSorted()).toEqual(EVENTS.toSorted());
  });

  it("are left for a state, or not at all and with a reason", () => {
    fc.assert(
      fc.property(state, event, (from, one) => {
        const next = kernelNext(from, one);
        if (next.ok) expect(STATES).toContain(next.state);
        else {
          expect(["session_ended", "session_state"]).toContain(next.refusal.code);
          expect(next.refusal.details).toEqual({ status: from, event: one });
        }
      }),
    );
  });

  it("are final where nothing but a person's stated word leads out", () => {
    const ways = STATES.filter((from) => ENDED.has(from)).flatMap((from) =>
      EVENTS.filter((one) => walk(from, [one]) !== from).map((one) => `${from} ${one}`),
    );
    expect(ways).toEqual([
      "needs_review accept",
      "needs_review resume",
      "needs_review cancel",
      "failed resume",
    ]);
  });

  it("all lead to an end, from wherever a walk has led", () => {
    fc.assert(
      fc.property(state, fc.array(event, { maxLength: 30 }), (from, events) => {
        const at = walk(from, events);
        const open = new Set<KernelState>([at]);
        for (const one of open) for (const next of EVENTS) open.add(walk(one, [next]));
        expect([...open].some((one) => ENDED.has(one))).toBe(true);
      }),
    );
  });

  it("never run what is paused or over without a word of an operator", () => {
    // The others are what a resume leads to, where something of before is still open.
    const byItself = EVENTS.filter((one) => !["resume", "ask", "delegate"].includes(one));
    fc.assert(
      fc.property(
        fc.constantFrom<KernelState>("paused", "completed", "needs_review", "failed", "cancelled"),
        fc.array(fc.constantFrom(...byItself), { maxLength: 20 }),
        (from, events) => {
          expect(walk(from, events)).not.toBe("running");
        },
      ),
    );
  });

  it("are completed by a person's word only from a review", () => {
    expect(STATES.filter((from) => kernelNext(from, "accept").ok)).toEqual(["needs_review"]);
    expect(kernelNext("needs_review", "accept")).toEqual({ ok: true, state: "completed" });
  });

  it("do not take a chat's state for one of theirs", () => {
    for (const one of EVENTS) expect(kernelNext("idle", one)).toMatchObject({ ok: false });
  });
});
