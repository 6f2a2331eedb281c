import type { AnyEvent, EventData, EventType, SessionStatus } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { StreamInfo } from "../../ports/event-log.ts";
import type { Projection } from "../../ports/projection.ts";
import { type Wake, wakeProjection, wakeState } from "../wake.ts";
import { type Expiry, expiryProjection } from "./expiry.ts";

const STREAM = { id: "ses_1", kind: "background" } as unknown as StreamInfo;
const AT = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T01:00:00.000Z";

type Line = { [T in EventType]: readonly [T, EventData<T>] }[EventType];

/** The row, as a log with these events has it; undefined when none of them makes one. */
function row<R>(projection: Projection<R>, ...lines: readonly Line[]): R | undefined {
  return lines
    .map(([type, data]) => ({ type, data, at: AT, stream: "ses_1", v: 1 }) as unknown as AnyEvent)
    .filter((event) => projection.types.includes(event.type) && projection.key(event) !== null)
    .reduce<R | undefined>((before, event) => projection.evolve(before, event, STREAM), undefined);
}

const state = (status: SessionStatus, more: object = {}): Line => [
  "runtime.session.state",
  { session_id: "ses_1", status, kind: "background", ...more },
];
const queued: Line = [
  "runtime.input.queued",
  { input_id: "inp_1" as never, mode: "queue", input: "Go", actor: "ada" },
];
const started: Line = [
  "runtime.request.started",
  { turn_id: "trn_1", input: "Go", input_id: "inp_1" as never },
];
const parked = (...waits: NonNullable<EventData<"runtime.turn.ended">["waits"]>): Line => [
  "runtime.turn.ended",
  { turn_id: "trn_1", status: "parked", waits },
];
const pausing: Line = ["runtime.session.pausing", { session_id: "ses_1", actor: "ada", reason: "r" }];
const resuming: Line = ["runtime.session.resuming", { session_id: "ses_1", actor: "ada", reason: "r" }];
const question = { kind: "question" as const, request_id: "apr_1" as never };
const timer = { kind: "timer" as const, until: LATER, reason: "r" };

describe("whether background work has something to go on with", () => {
  const wake = (...lines: readonly Line[]) => wakeState(row<Wake>(wakeProjection, ...lines) as Wake);

  it("is what it would be for a chat, while nobody wants it to wait", () => {
    expect(wake(state("queued"), queued)).toBe("held");
    expect(wake(state("queued"), queued, started)).toBe("running");
    expect(wake(state("queued"), queued, started, parked(question), state("awaiting_approval"))).toBe(
      "waiting",
    );
    expect(wake(state("queued"), queued, started, parked(timer), state("recovering"))).toBe("timer");
  });

  it("is nothing once it is paused, whatever it waited for", () => {
    expect(wake(state("queued"), queued, pausing, state("paused"))).toBe("waiting");
    expect(wake(state("queued"), queued, started, parked(), pausing, state("paused"))).toBe("waiting");
    expect(wake(state("queued"), queued, started, parked(timer), pausing, state("paused"))).toBe("waiting");
  });

  it("is that somebody must write down a pause that was not", () => {
    expect(
      wake(state("queued"), queued, started, parked(question), state("awaiting_approval"), pausing),
    ).toBe("ready");
    // Who drives it does that.
    expect(wake(state("queued"), queued, started, state("running"), pausing)).toBe("running");
    // And of what has ended nobody does.
    expect(wake(state("queued"), queued, pausing, state("cancelled"))).not.toBe("ready");
  });

  it("is that somebody must write down that a pause was taken back", () => {
    const held = [state("queued"), queued, started, parked(question), pausing, state("paused")];
    expect(wake(...held, resuming)).toBe("ready");
    expect(wake(...held, resuming, state("awaiting_approval"))).toBe("waiting");
  });

  it("goes on after a resume, without waiting for its time", () => {
    const held = [state("queued"), queued, started, parked(timer), pausing, state("paused")];
    expect(wake(...held, resuming, state("queued"))).toBe("ready");
    expect(wake(state("queued"), queued, pausing, state("paused"), resuming, state("queued"))).toBe("held");
  });
});

describe("when background work ends by itself", () => {
  const expiry = (...lines: readonly Line[]) => {
    const found = row<Expiry>(expiryProjection, ...lines);
    return found === undefined ? undefined : [expiryProjection.state(found), expiryProjection.at(found)];
  };
  const at = Date.parse(LATER);

  it("is looked for only where it waits, and has an end", () => {
    expect(expiry(state("queued"))).toEqual(["none", 0]);
    for (const status of ["queued", "recovering", "awaiting_approval"] as const)
      expect(expiry(state(status, { expires_at: LATER }))).toEqual(["waits", at]);
    for (const status of ["running", "paused", "completed", "failed", "cancelled"] as const)
      expect(expiry(state(status, { expires_at: LATER }))).toEqual(["none", at]);
  });

  it("is what was chosen last, whatever is said by who has not heard of it", () => {
    const chosen = (expires_at: string | null): Line => [
      "runtime.session.configured",
      { session_id: "ses_1", actor: "ada", changes: { expires_at } },
    ];
    expect(expiry(state("queued"), chosen(LATER), state("queued", { expires_at: null }))).toEqual([
      "waits",
      at,
    ]);
    expect(
      expiry(state("queued", { expires_at: LATER }), chosen(null), state("queued", { expires_at: LATER })),
    ).toEqual(["none", 0]);
  });

  it("is nothing that a chat has", () => {
    expect(
      expiry(["runtime.session.state", { session_id: "ses_1", status: "idle", kind: "chat" }]),
    ).toBeUndefined();
  });
});
