import type { AnyEvent, SessionStatus } from "@fairlead/contract";
import { expect, test } from "vitest";
import type { StreamInfo } from "../ports/event-log.ts";
import { type StoredSession, sessionProjection } from "./session.ts";

const STREAM = { id: "ses_1", kind: "background", created_at: "" } as unknown as StreamInfo;
const said = { session_id: "ses_1", actor: "ada", reason: "Lunch." };
const pausing = ["runtime.session.pausing", said] as const;
const resuming = ["runtime.session.resuming", said] as const;
const state = (status: SessionStatus) =>
  ["runtime.session.state", { session_id: "ses_1", status, kind: "background" }] as const;

function pausingAfter(...events: readonly (readonly [string, object])[]) {
  const row = events.reduce<StoredSession | undefined>(
    (before, [type, data], index) =>
      sessionProjection.evolve(
        before,
        {
          type,
          data,
          seq: index + 1,
          at: "2026-01-01T00:00:00.000Z",
          stream: "ses_1",
        } as unknown as AnyEvent,
        STREAM,
      ),
    undefined,
  );
  return row?.pausing;
}

test("a row says who wants it to wait, until it does, ends, or they want otherwise", () => {
  expect(pausingAfter(state("running"), pausing)).toEqual({ actor: "ada", reason: "Lunch." });
  expect(pausingAfter(state("running"), pausing, state("recovering"))).toBeDefined();
  for (const status of ["paused", "completed", "needs_review", "failed", "cancelled"] as const)
    expect([status, pausingAfter(state("running"), pausing, state(status))]).toEqual([status, undefined]);
  expect(pausingAfter(state("running"), pausing, resuming)).toBeUndefined();
});

test("whoever was first is named, and what rests is not about to pause", () => {
  const bo = ["runtime.session.pausing", { ...said, actor: "bo" }] as const;
  expect(pausingAfter(state("running"), pausing, bo)?.actor).toBe("ada");
  expect(pausingAfter(state("completed"), pausing)).toBeUndefined();
  expect(pausingAfter(state("running"), pausing, state("paused"), state("running"))).toBeUndefined();
});

test("a row is never changed before it is made, whichever clock was read first", () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
  const data = { session_id: "ses_1", status: "queued", kind: "background", updated_at: at(1) };
  const event = { type: "runtime.session.state", data, seq: 1, at: at(2), stream: "ses_1" };
  const row = sessionProjection.evolve(undefined, event as never, { ...STREAM, created_at: at(3) });
  expect([row.created_at, row.state?.updated_at, row.updated_at]).toEqual([at(1), at(1), at(2)]);
});
