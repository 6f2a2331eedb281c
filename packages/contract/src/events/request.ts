import { z } from "zod";
import { idSchema } from "../ids.ts";
import { count, fact, runtimeFact, text, texts, time } from "./fields.ts";

export const TURN_STATUSES = ["completed", "failed", "cancelled", "parked"] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** What a parked turn waits for. */
export const Wait = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("question"), request_id: idSchema("question") }),
  z.strictObject({ kind: z.literal("timer"), until: time, reason: text }),
  /** The end of what was delegated to that session by this call. */
  z.strictObject({ kind: z.literal("session"), session_id: idSchema("session"), tool_call_id: text }),
]);
export type Wait = z.infer<typeof Wait>;

export const REQUEST_EVENTS = {
  "runtime.request.started": fact({
    tier: "debug",
    faces: { frontend: "turn_start", runtime: "runtime.request.started" },
    doc: "A turn began. `actor` is who asked for it; `attempt` counts the processes that have tried to drive it.",
    fields: {
      turn_id: text,
      input: text,
      actor: text.optional(),
      attempt: count.optional(),
      input_id: idSchema("input").optional(),
    },
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
    fields: {
      turn_id: text,
      status: z.enum(TURN_STATUSES),
      reason: text.optional(),
      /** Of a cancelled turn: who ended it. */
      actor: text.optional(),
      /** Of a parked turn: it goes on when all of these are over. */
      waits: z.array(Wait).optional(),
    },
  }),
  "runtime.turn.resumed": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A turn goes on: after it was parked, or in another process after its own was lost. `attempt` counts the processes.",
    fields: { turn_id: text, attempt: count, reason: text },
  }),
  "runtime.input.queued": fact({
    tier: "default",
    faces: { frontend: "input_queued", runtime: null },
    doc: "Someone said something while a turn was open. `queue`: it becomes a turn of its own afterwards; `steer`: the open turn hears it at its next step. An addition to seed 000.",
    fields: { input_id: idSchema("input"), mode: z.enum(["queue", "steer"]), input: text, actor: text },
  }),
  "runtime.input.taken": fact({
    tier: "debug",
    faces: { frontend: "input_taken", runtime: null },
    doc: "What was said meanwhile reached the model, or was dropped with the reason. An addition to seed 000.",
    fields: {
      input_id: idSchema("input"),
      turn_id: text.optional(),
      step: count.optional(),
      dropped: text.optional(),
    },
  }),
  "runtime.execution.contract.failed": runtimeFact(
    "runtime.execution.contract.failed",
    "The turn ended without the evidence it owed.",
    { reason: text, missing_evidence_tools: texts.optional() },
  ),
};
