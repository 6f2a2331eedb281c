import { expect, test } from "vitest";
import type { FrontendFrame, SessionDetail } from "../src/index.ts";
import { EMPTY_SUMMARY, evolveSummary, withKnown } from "../src/view/index.ts";

const AT = "2026-01-01T00:00:00.000Z";
const frame = (seq: number, type: string, payload: unknown): FrontendFrame =>
  ({ type, payload, id: `evt_${seq}`, seq, session_id: "ses_1", at: AT, tier: "default" }) as FrontendFrame;

function detail(part: Partial<SessionDetail>): SessionDetail {
  const usage = { tokens: 1_000, cost_usd: 2 };
  return {
    status: "running",
    kind: "background",
    title: "Long",
    turn_id: "trn_1",
    head_seq: 9_000,
    updated_at: AT,
    state: { session_id: "ses_1", status: "running", model: "m" },
    health: { session_id: "ses_1", score: 90, flags: [], usage },
    ...part,
  } as SessionDetail;
}

const USED = frame(8_999, "usage", { input_tokens: 30, output_tokens: 10, total_tokens: 40, cost_usd: 0.5 });

test("the end of a long session says nothing of its head: the server does", () => {
  const folded = [USED].reduce(evolveSummary, EMPTY_SUMMARY);
  const known = withKnown(folded, detail({}));
  expect(known.state).toMatchObject({ status: "running", kind: "background", title: "Long", model: "m" });
  expect(known.turn).toEqual({ id: "trn_1", at: AT, parked: false });
  expect(known.usage).toMatchObject({ input: 30, output: 10, earlier: 960, cost: 2 });
  expect(known.health).toMatchObject({ score: 90 });
  expect([folded.partial, known.partial]).toEqual([false, true]);
});

test("what comes then is counted once, on top", () => {
  const known = withKnown([USED].reduce(evolveSummary, EMPTY_SUMMARY), detail({}));
  const next = frame(9_001, "usage", { input_tokens: 5, output_tokens: 5, total_tokens: 10, cost_usd: 1 });
  const { usage } = [USED, next].reduce(evolveSummary, known);
  expect(usage.input + usage.output + usage.earlier).toBe(1_010);
  expect(usage.cost).toBe(3);
});

test("without a price there is no cost, and a turn that is over is not open", () => {
  const folded = [frame(8_000, "turn_start", { turn_id: "trn_0", input: "x" })].reduce(
    evolveSummary,
    EMPTY_SUMMARY,
  );
  const health = { session_id: "ses_1", score: 90, flags: [] };
  const known = withKnown(folded, detail({ turn_id: null, status: "idle", health }));
  expect(known.turn).toBeNull();
  expect(known.usage).toMatchObject({ earlier: 0, cost: null });
});
