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
function fromAhp<S extends z.ZodType, const N extends string | null = null>(
  owner: Owner,
  doc: string,
  data: S,
  frontend: N = null as N,
) {
  return event({
    v: 1,
    owner,
    category: owner === "agent" ? "signal" : "fact",
    tier: frontend === null ? "debug" : "default",
    persisted: true,
    faces: { frontend, runtime: null },
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
    "All tasks of a supervised run; replaces the list before it. The data is AHP's `task_list`. An addition to seed 000.",
    TaskListPayload.loose().extend(enveloped),
    "task_list",
  ),
  "runtime.verification.reported": fromAhp(
    "runtime",
    "What was checked, with evidence, and what is still open. The data is AHP's `verification`. An addition to seed 000.",
    VerificationPayload.loose().extend(enveloped),
    "verification",
  ),
  "agent.heartbeat": fromAhp(
    "agent",
    "A supervised agent is alive. The data is AHP's `heartbeat`.",
    HeartbeatPayload.loose().extend(enveloped),
  ),
};
