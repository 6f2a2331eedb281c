import { artifact } from "./artifact.ts";
import { runtimeFact, text } from "./fields.ts";

const phase = { phase_id: text, workflow_id: text.optional() };

export const SPEC_DRIVEN_EVENTS = {
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
    { ...phase, artifact: artifact.optional() },
  ),
  "runtime.specDriven.phase.verified": runtimeFact(
    "runtime.specDriven.phase.verified",
    "A phase was verified.",
    { ...phase, artifact: artifact.optional() },
  ),
};
