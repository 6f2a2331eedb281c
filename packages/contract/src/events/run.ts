import { z } from "zod";
import { HeartbeatPayload, RunLifecyclePayload, TaskListPayload, VerificationPayload } from "@fairlead/ahp";
import type { Owner } from "../define.ts";
import { event } from "../define.ts";

/** What came around the payload, beside it under a name of ours: the agent's own time and depth, context and metadata. */
const enveloped = {
  ahp_envelope: z
    .looseObject({
      session_id: z.string(),
      timestamp: z.string(),
      depth: z.number(),
      context: z.unknown().optional(),
      metadata: z.unknown().optional(),
    })
    .optional(),
};

/** AHP's words as they came, with what a newer peer adds to them. */
function fromAhp<S extends z.ZodType>(owner: Owner, doc: string, data: S) {
  return event({
    v: 1,
    owner,
    category: owner === "agent" ? "signal" : "fact",
    tier: "debug",
    persisted: true,
    faces: { frontend: null, runtime: null },
    doc,
    data,
  });
}

export const RUN_EVENTS = {
  "runtime.run.lifecycle": fromAhp(
    "runtime",
    "A supervised run changed state. The data is AHP's `run_lifecycle`.",
    RunLifecyclePayload.loose().extend(enveloped),
  ),
  "runtime.task.list": fromAhp(
    "runtime",
    "All tasks of a supervised run; replaces the list before it. The data is AHP's `task_list`.",
    TaskListPayload.loose().extend(enveloped),
  ),
  "runtime.verification.reported": fromAhp(
    "runtime",
    "What was checked, with evidence, and what is still open. The data is AHP's `verification`.",
    VerificationPayload.loose().extend(enveloped),
  ),
  "agent.heartbeat": fromAhp(
    "agent",
    "A supervised agent is alive. The data is AHP's `heartbeat`.",
    HeartbeatPayload.loose().extend(enveloped),
  ),
};
