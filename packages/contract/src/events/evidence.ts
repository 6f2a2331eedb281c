import { z } from "zod";

/** What can be asked for beside what tools did. `tasks_completed`: tasks were listed, and none is open or failed. `no_failing_tools`: of each tool, the last call succeeded. */
export const EVIDENCE_RULES = ["tasks_completed", "no_failing_tools"] as const;
export type EvidenceRule = (typeof EVIDENCE_RULES)[number];

const short = z.string().min(1).max(1_000);

/** What a session owes before it is done: each must have been seen to hold after the last change. */
export const Requirement = z.discriminatedUnion("kind", [
  /** This command line ran, and its exit code was 0. */
  z.strictObject({ kind: z.literal("command"), command: short, subject: short.optional() }),
  /** This file of the workspace was read or written. */
  z.strictObject({ kind: z.literal("file"), path: short, subject: short.optional() }),
  /** This tool was called, and succeeded. */
  z.strictObject({ kind: z.literal("tool"), tool: short, subject: short.optional() }),
  z.strictObject({ kind: z.literal("rule"), rule: z.enum(EVIDENCE_RULES), subject: short.optional() }),
]);
export type Requirement = z.infer<typeof Requirement>;

export const Requirements = z.array(Requirement).max(20);
