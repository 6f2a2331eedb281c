import type { AnyEvent, NewEvent, SessionState } from "@fairlead/contract";
import { EVENTS } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyTurnCommand, type TurnContext, decideTurn } from "./turn-decide.ts";
import { NO_TURN, TURN_TABLE, type TurnSlot, evolveTurn, isOpen } from "./turn.ts";

const STATE: SessionState = {
  session_id: "ses_1",
  status: "idle",
  kind: "chat",
  title: null,
  provider: "p",
  model: "m",
};

function stored(event: NewEvent, seq: number): AnyEvent {
  return {
    id: `evt_${seq}`,
    seq,
    stream: "ses_1",
    at: "2026-01-01T00:00:00.000Z",
    v: 1,
    turn_id: null,
    agent_id: null,
    cause: null,
    owner: "runtime",
    ...event,
  } as AnyEvent;
}

/** The session as its own events leave it. */
function fold(context: TurnContext, events: readonly NewEvent[], from: number): TurnContext {
  return events.reduce<TurnContext>((before, event, i) => {
    const turn = evolveTurn(before.turn, stored(event, from + i));
    const state = event.type === "runtime.session.state" ? (event.data as SessionState) : before.state;
    return { turn, state };
  }, context);
}

const command = fc.oneof(
  fc.string().map((input): AnyTurnCommand => ({
    kind: "start",
    turn_id: "",
    started: "evt_x",
    input,
    tools: [],
    process_id: "here:1",
    cause: null,
  })),
  fc.record({ output: fc.string() }).map(({ output }): AnyTurnCommand => ({ kind: "complete", output })),
  fc.string().map((reason): AnyTurnCommand => ({ kind: "park", reason, waits: [] })),
  fc.string().map((reason): AnyTurnCommand => ({ kind: "resume", process_id: "here:2", attempt: 2, reason })),
  fc.string().map((error): AnyTurnCommand => ({ kind: "fail", code: "model_error", error })),
  fc.option(fc.string(), { nil: undefined }).map((reason): AnyTurnCommand => ({ kind: "cancel", reason })),
);

describe("a turn", () => {
  it("begins only when none is open and ends only when one is, in every state", () => {
    for (const [state, row] of Object.entries(TURN_TABLE)) {
      const open = state === "running" || state === "parked";
      expect(row).toEqual(
        open
          ? {
              start: "turn_active",
              park: "wait",
              resume: "go_on",
              complete: "end",
              fail: "end",
              cancel: "end",
            }
          : {
              start: "begin",
              park: "turn_not_found",
              resume: "turn_not_found",
              complete: "turn_not_found",
              fail: "turn_not_found",
              cancel: "turn_not_found",
            },
      );
    }
  });

  it("alternates begin and end under any commands, and what it writes fits the catalogue", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let context: TurnContext = { turn: NO_TURN, state: STATE };
        let seq = 0;
        const starts: string[] = [];
        const ends: string[] = [];
        for (const [i, given] of commands.entries()) {
          const one = given.kind === "start" ? { ...given, turn_id: `trn_${i}` } : given;
          const wasOpen = isOpen(context.turn);
          const decision = decideTurn(context, one);
          expect(decision.ok).toBe((one.kind === "start") !== wasOpen);
          if (!decision.ok) {
            expect(decision.refusal.code).toBe(one.kind === "start" ? "turn_active" : "turn_not_found");
            continue;
          }
          for (const event of decision.events) {
            expect(EVENTS[event.type].data.safeParse(event.data).error).toBeUndefined();
            if (event.type === "runtime.request.started") starts.push(event.data.turn_id);
            if (event.type === "runtime.turn.ended" && event.data.status !== "parked")
              ends.push(event.data.turn_id);
          }
          context = fold(context, decision.events, seq);
          seq += decision.events.length;
          const goesOn = one.kind === "start" || one.kind === "resume";
          expect(isOpen(context.turn)).toBe(goesOn || one.kind === "park");
          expect(context.state.status).toBe(goesOn ? "running" : one.kind === "park" ? "queued" : "idle");
        }
        expect(starts.slice(0, ends.length)).toEqual(ends);
        expect(starts.length - ends.length).toBe(isOpen(context.turn) ? 1 : 0);
      }),
    );
  });

  it("is not ended by the end of another", () => {
    const running: TurnSlot = { state: "running", turn_id: "trn_2", started: "evt_1" };
    const late = stored({ type: "runtime.turn.ended", data: { turn_id: "trn_1", status: "completed" } }, 9);
    expect(evolveTurn(running, late)).toEqual(running);
  });

  it("names its session by the first line of the first request, and keeps a name it has", () => {
    const start = (state: SessionState, input: string) => {
      const decision = decideTurn(
        { turn: NO_TURN, state },
        { kind: "start", turn_id: "trn_1", started: "evt_1", input, tools: [], process_id: "x", cause: null },
      );
      const [first] = decision.ok ? decision.events : [];
      return (first as NewEvent<"runtime.session.state">).data.title;
    };
    expect(start(STATE, "  Fix the boiler\nplease")).toBe("Fix the boiler");
    expect(start(STATE, "😀".repeat(100))).toBe(`${"😀".repeat(79)}…`);
    expect(start({ ...STATE, title: "Mine" }, "Other")).toBe("Mine");
  });
});
