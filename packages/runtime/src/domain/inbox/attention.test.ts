import type { AnyEvent } from "@fairlead/contract";
import { expect, test } from "vitest";
import type { StreamInfo } from "../../ports/event-log.ts";
import { type Attention, attentionProjection } from "./attention.ts";

const STREAM = { id: "ses_1" } as unknown as StreamInfo;

function folded(...events: readonly (readonly [string, object])[]): Attention | undefined {
  return events.reduce<Attention | undefined>(
    (row, [type, data], index) =>
      attentionProjection.evolve(
        row,
        {
          type,
          data,
          seq: index + 1,
          at: "2026-01-01T00:00:00.000Z",
          stream: "ses_1",
          v: 1,
        } as unknown as AnyEvent,
        STREAM,
      ),
    undefined,
  );
}

const owes = ["runtime.execution.contract.failed", { reason: "npm test: never ran" }] as const;
const end = [
  "runtime.turn.ended",
  { turn_id: "trn_1", status: "completed", reason: "needs_review" },
] as const;

test("a turn that ends owing something ends with what that is, and only that turn", () => {
  expect(folded(owes, end)?.ended?.reason).toBe("Not proven: npm test: never ran");
  const failed = ["runtime.turn.ended", { turn_id: "trn_1", status: "failed", reason: "lost" }] as const;
  expect(folded(owes, failed)?.ended?.reason).toBe("lost");
  expect(folded(owes, end, end)?.ended?.reason).toBe("needs_review");
});

test("sub-agents that wait for a time are kept until they go on, end, or are told to go on", () => {
  const said = (agent_id: string, status: string, until?: string) =>
    ["runtime.subagent.event", { agent_id, status, parent_session_id: "ses_1", until }] as const;
  const both = [said("a", "waiting", "t1"), said("b", "waiting", "t2")];
  expect(folded(...both)?.waits_below).toEqual([
    { agent_id: "a", until: "t1" },
    { agent_id: "b", until: "t2" },
  ]);
  expect(folded(...both, said("a", "running"))?.waits_below).toEqual([{ agent_id: "b", until: "t2" }]);
  expect(folded(...both, said("a", "failed", "t3"))?.waits_below).toEqual([{ agent_id: "b", until: "t2" }]);
  const resuming = ["runtime.session.resuming", { session_id: "ses_1", actor: "ada", reason: "r" }] as const;
  expect(folded(...both, resuming)?.waits_below).toEqual([]);
});

test("who had it paused is kept, and a parked turn has not ended", () => {
  const row = folded(
    ["runtime.session.pausing", { session_id: "ses_1", actor: "health", reason: "r" }],
    ["runtime.turn.ended", { turn_id: "trn_1", status: "parked" }],
  );
  expect(row).toMatchObject({ paused: { actor: "health", reason: "r" }, ended: null });
});

test("how an answer begins is kept with the end of its turn, on one line and no longer than a row", () => {
  const ended = ["runtime.turn.ended", { turn_id: "trn_1", status: "completed" }] as const;
  const said = (output: unknown) => ["runtime.request.completed", { turn_id: "trn_1", output }] as const;
  expect(folded(ended, said("All\n  is well."))?.ended?.said).toBe("All is well.");
  expect(folded(ended, said("x".repeat(10_000)))?.ended?.said).toHaveLength(200);
  expect(folded(ended, said(" "))?.ended).not.toHaveProperty("said");
  // What is too large for the log is not text here.
  expect(folded(ended, said({ blob: "x" }))?.ended).not.toHaveProperty("said");
  expect(folded(said("Before its end"))?.ended).toBeNull();
  expect(folded(ended, said("Old"), ended)?.ended).not.toHaveProperty("said");
});
