import { z } from "zod";
import { fact, json, text } from "./fields.ts";

export const JOB_STATES = ["queued", "running", "completed", "failed", "canceled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Seed 001 spells it `canceled`; so do the events of jobs, and only they. */
function job<S extends z.ZodRawShape>(state: JobState, doc: string, more: S) {
  return fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc,
    fields: {
      job_id: text,
      project_id: text,
      job_type: text,
      state: z.literal(state),
      source_session_id: text.optional(),
      ...more,
    },
  });
}

export const JOB_EVENTS = {
  "runtime.job.queued": job("queued", "A job waits for a worker.", {}),
  "runtime.job.started": job("running", "A worker took the job.", {}),
  "runtime.job.progress": job("running", "The job got further.", { progress: json }),
  "runtime.job.completed": job("completed", "The job is done.", { result: json.optional() }),
  "runtime.job.failed": job("failed", "The job failed for good.", { error: text }),
  "runtime.job.canceled": job("canceled", "The job was called off.", { error: text.optional() }),
};
