import { z } from "zod";
import { count, runtimeFact, text } from "./fields.ts";

/** A thing that work produced. Open: a kind may say more about itself. */
export const Artifact = z.looseObject({
  id: text,
  kind: text.optional(),
  uri: text.optional(),
  path: text.optional(),
  mime_type: text.optional(),
  sha256: text.optional(),
  size_bytes: count.optional(),
  summary: text.optional(),
});

const phase = { phase_id: text, workflow_id: text.optional() };

export const ARTIFACT_EVENTS = {
  "runtime.artifact.created": runtimeFact("runtime.artifact.created", "An artifact was created.", {
    artifact: Artifact,
  }),
  "runtime.specDriven.phase.started": runtimeFact(
    "runtime.specDriven.phase.started",
    "A phase of spec-driven work began.",
    phase,
  ),
  "runtime.specDriven.phase.blocked": runtimeFact(
    "runtime.specDriven.phase.blocked",
    "A gate or policy blocked a phase.",
    { ...phase, reason: text },
  ),
  "runtime.specDriven.phase.completed": runtimeFact(
    "runtime.specDriven.phase.completed",
    "A phase completed.",
    { ...phase, artifact: Artifact.optional() },
  ),
  "runtime.specDriven.phase.verified": runtimeFact(
    "runtime.specDriven.phase.verified",
    "A phase was verified.",
    { ...phase, artifact: Artifact.optional() },
  ),
  "runtime.skill.candidate.created": runtimeFact(
    "runtime.skill.candidate.created",
    "A skill worth keeping was found.",
    {
      candidate_id: text,
      name: text,
      confidence: z.number(),
      evidence_count: count,
      status: text,
      proposed_path: text.optional(),
    },
  ),
  "runtime.execution.contract.failed": runtimeFact(
    "runtime.execution.contract.failed",
    "The turn ended without the evidence it owed.",
    { reason: text, missing_evidence_tools: z.array(text).optional() },
  ),
};
