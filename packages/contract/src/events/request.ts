import { z } from "zod";
import { count, fact, runtimeFact, text, texts } from "./fields.ts";

export const TURN_STATUSES = ["completed", "failed", "cancelled", "parked"] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

export const REQUEST_EVENTS = {
  "runtime.request.started": fact({
    tier: "debug",
    faces: { frontend: "turn_start", runtime: "runtime.request.started" },
    doc: "A turn began. `attempt` counts the processes that have tried to drive it.",
    fields: { turn_id: text, input: text, attempt: count.optional() },
  }),
  "runtime.request.tools": fact({
    tier: "debug",
    faces: { frontend: "turn_start_tools", runtime: null },
    doc: "The tools this turn may use. In one commit with the start of the turn.",
    fields: { turn_id: text, tools: texts },
  }),
  "runtime.request.completed": fact({
    tier: "default",
    faces: { frontend: "completed", runtime: "runtime.request.completed" },
    doc: "The turn succeeded, with its final output.",
    fields: { turn_id: text, output: text },
  }),
  "runtime.request.failed": fact({
    tier: "default",
    faces: { frontend: "error", runtime: "runtime.request.failed" },
    doc: "The turn failed. `code` is stable, `error` is a sentence.",
    fields: { turn_id: text, error: text, code: text },
  }),
  "runtime.request.cancelled": fact({
    tier: "default",
    faces: { frontend: "error", runtime: "runtime.request.cancelled" },
    doc: "Someone stopped the turn. Seed 000 has one name for both bad ends, so its face shows an `error` with code `cancelled`.",
    fields: { turn_id: text, reason: text.optional() },
  }),
  "runtime.turn.cancelling": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "Someone asked for the end of a turn that another process drives. That process hears it here.",
    fields: { turn_id: text, actor: text, reason: text },
  }),
  "runtime.turn.ended": fact({
    tier: "default",
    faces: { frontend: "turn_end", runtime: null },
    doc: "The turn is over or parked, and why. In one commit with the outcome it frames.",
    fields: { turn_id: text, status: z.enum(TURN_STATUSES), reason: text.optional() },
  }),
  "runtime.execution.contract.failed": runtimeFact(
    "runtime.execution.contract.failed",
    "The turn ended without the evidence it owed.",
    { reason: text, missing_evidence_tools: texts.optional() },
  ),
};
