import { z } from "zod";
import { count, json, jsonObject, runtimeFact, text, texts } from "./fields.ts";

const MEMORY_HOOKS = ["read-before-plan", "read-before-finalize", "write-after-run"] as const;

const plugin = { memory_id: text, provider: text, namespace: text };

export const MEMORY_EVENTS = {
  "runtime.memory.lifecycle": runtimeFact("runtime.memory.lifecycle", "A memory hook ran.", {
    hook: z.enum(MEMORY_HOOKS),
  }),
  "runtime.memory.recall.completed": runtimeFact(
    "runtime.memory.recall.completed",
    "Memory was read, and this is what the turn was told.",
    { namespace: text, record_ids: texts, context: json },
  ),
  "runtime.memory.candidate.submitted": runtimeFact(
    "runtime.memory.candidate.submitted",
    "Something was put forward to be remembered, and what was decided.",
    { candidate: jsonObject, decision: json, record: jsonObject.optional() },
  ),
  "runtime.memory.approval.requested": runtimeFact(
    "runtime.memory.approval.requested",
    "A memory operation waits for a person.",
    { approval: jsonObject },
  ),
  "runtime.memory.plugin.started": runtimeFact(
    "runtime.memory.plugin.started",
    "A memory plugin started.",
    plugin,
  ),
  "runtime.memory.plugin.completed": runtimeFact(
    "runtime.memory.plugin.completed",
    "A memory plugin finished, with so many candidates.",
    { ...plugin, candidate_count: count },
  ),
  "runtime.memory.plugin.failed": runtimeFact("runtime.memory.plugin.failed", "A memory plugin failed.", {
    ...plugin,
    error: text,
  }),
  "runtime.memory.maintenance.started": runtimeFact(
    "runtime.memory.maintenance.started",
    "Maintenance of a memory began.",
    { target: text },
  ),
  "runtime.memory.maintenance.completed": runtimeFact(
    "runtime.memory.maintenance.completed",
    "Maintenance of a memory finished.",
    { target: text, operation_count: count },
  ),
  "runtime.memory.maintenance.failed": runtimeFact(
    "runtime.memory.maintenance.failed",
    "Maintenance of a memory failed.",
    { target: text, error: text },
  ),
};
