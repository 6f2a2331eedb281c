import { type AnyEvent, EVENTS, isEventType } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvent, arbitraryRawEvent } from "../../../contract/test/arbitrary.ts";
import { LOOP_TYPES, fold } from "../../src/domain/loop/fold.ts";
import { next } from "../../src/domain/loop/next.ts";
import { type LoopState, newLoopState } from "../../src/domain/loop/state.ts";
import { windowOf } from "../../src/domain/loop/window.ts";
import type { Message } from "../../src/ports/model.ts";
import { LIMITS, history } from "./histories.ts";

const picks = fc.noShrink(fc.infiniteStream(fc.nat(1_000_000)));
const picker = (numbers: Iterator<number>) => (count: number) =>
  Number(numbers.next().value ?? 0) % Math.max(1, count);

function foldAll(state: LoopState, events: readonly AnyEvent[]): LoopState {
  for (const event of events) fold(state, event);
  return state;
}

/** As a snapshot keeps it. */
const kept = (state: LoopState) => JSON.parse(JSON.stringify(state)) as LoopState;

/** What a model takes: after an assistant's calls their results, each once, and no result anywhere else. */
function misplaced(messages: readonly Message[], openAtEnd: boolean): string | undefined {
  let due = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!due.delete(message.tool_call_id)) return `${i}: a result that nobody waits for`;
      continue;
    }
    if (due.size > 0) return `${i}: ${message.role} before the results of ${[...due].join(", ")}`;
    if (message.role === "assistant")
      due = new Set((message.tool_calls ?? []).map(({ tool_call_id }) => tool_call_id));
  }
  return due.size > 0 && !openAtEnd ? `no results of ${[...due].join(", ")}` : undefined;
}

describe("the fold of a session", () => {
  it("leads every driver to an end, and gives every model a conversation that it takes", () => {
    fc.assert(
      fc.property(picks, (numbers) => {
        const { over, events } = history(picker(numbers), (state) => {
          const step = next(state, LIMITS);
          const open = state.turn?.calls.some(({ stage }) => stage.at !== "done") ?? false;
          expect(misplaced(state.messages, open)).toBeUndefined();
          if (step.kind !== "call" && step.kind !== "reflect" && state.turn !== null) return;
          expect(misplaced(state.messages, false)).toBeUndefined();
          for (const most of [1, 2, 5, 20]) {
            const window = windowOf(state.messages, most);
            expect(misplaced(window, false)).toBeUndefined();
            expect(window.at(-1)).toBe(state.messages.at(-1));
          }
        });
        expect(over).toBe(true);
        for (const event of events)
          if (isEventType(event.type))
            expect(EVENTS[event.type].data.safeParse(event.data).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("is the same from the start and from a snapshot anywhere", () => {
    fc.assert(
      fc.property(picks, fc.nat(), (numbers, at) => {
        const { events, state } = history(picker(numbers));
        const cut = events.length === 0 ? 0 : at % events.length;
        const whole = foldAll(newLoopState(), events);
        expect(whole).toEqual(state);
        const before = kept(foldAll(newLoopState(), events.slice(0, cut)));
        expect(foldAll(before, events.slice(cut))).toEqual(whole);
        // Plain JSON, so that a snapshot holds all of it.
        expect(kept(whole)).toEqual(whole);
        // Only these types matter: the others need not be read.
        const read = events.filter(({ type }) => LOOP_TYPES.includes(type));
        expect({ ...foldAll(newLoopState(), read), seq: 0 }).toEqual({ ...whole, seq: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it("and the next step take events in any order, of any data, and of newer writers", () => {
    const garbage = fc.oneof(
      { weight: 4, arbitrary: arbitraryEvent(LOOP_TYPES as never) },
      { weight: 1, arbitrary: arbitraryEvent() },
      { weight: 1, arbitrary: arbitraryRawEvent() },
    );
    // Few names, so that the events meet.
    const meeting = fc.array(
      fc.tuple(garbage, fc.nat(2)).map(([event, n]) => ({
        ...event,
        turn_id: `trn_${n}`,
        data: renamed(event.data, n),
      })),
      { maxLength: 40 },
    );
    const known = ["idle", "hold", "begin", "call", "reflect", "judge", "settle", "run", "verdict", "park"];
    const ends = ["complete", "cancel", "fail"];
    fc.assert(
      fc.property(meeting, (events) => {
        const state = newLoopState();
        for (const event of events) {
          fold(state, event as AnyEvent);
          const before = JSON.stringify(state);
          expect([...known, ...ends]).toContain(next(state, LIMITS).kind);
          expect(JSON.stringify(state)).toBe(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("goes on in another order of a real history without failing", () => {
    fc.assert(
      fc.property(picks, fc.array(fc.nat(), { minLength: 400, maxLength: 400 }), (numbers, order) => {
        const { events } = history(picker(numbers), undefined, 40);
        const mixed = events
          .map((event, i) => [order[i % order.length] ?? 0, event] as const)
          .toSorted(([a], [b]) => a - b);
        const state = newLoopState();
        for (const [, event] of mixed) {
          fold(state, event);
          expect(next(state, LIMITS).kind).toBeTypeOf("string");
        }
      }),
    );
  });
});

/** With the ids that events refer to each other by. */
function renamed(data: unknown, n: number): unknown {
  if (typeof data !== "object" || data === null) return data;
  const names = {
    turn_id: `trn_${n}`,
    tool_call_id: `call_${n}`,
    request_id: `apr_${n}`,
    input_id: `inp_${n}`,
  };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      key in names && typeof value === "string" ? names[key as keyof typeof names] : value,
    ]),
  );
}
