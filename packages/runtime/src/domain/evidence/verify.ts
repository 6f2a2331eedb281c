import { type EventData, type Requirement, requirementInWords } from "@fairlead/contract";
import type { LoopState } from "../loop/state.ts";
import { nameOf, requirementsOf } from "./evidence.ts";

type Report = EventData<"runtime.verification.reported">;
export type Check = NonNullable<Report["checks"]>[number];

/** Each thing that is owed, and whether it was seen to hold after the last change. Empty: nothing is owed. */
export function checksOf(state: LoopState): readonly Check[] {
  const owed = requirementsOf(state);
  if (owed === "unreadable")
    return [
      { id: "requires", subject: "What the session owes", status: "failed", message: "It cannot be read." },
    ];
  return owed.map((one) => ({
    id: nameOf(one),
    subject: requirementInWords(one),
    ...(one.kind === "command" ? { command: one.command } : {}),
    ...statusOf(state, one),
  }));
}

export function missingOf(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status }) => status !== "passed");
}

/** Tools that would have given the evidence, as seed 003 wants them named. */
export function missingTools(state: LoopState): readonly string[] {
  const owed = requirementsOf(state);
  if (owed === "unreadable") return [];
  const missing = new Set(missingOf(checksOf(state)).map(({ id }) => id));
  return [...new Set(owed.filter((one) => missing.has(nameOf(one))).flatMap(toolOf))];
}

/** What the model is told when it is about to finish without it. */
export function owedInWords(missing: readonly Check[]): string {
  return [
    "You are about to finish, and this was asked for and has not been seen to hold since the last change:",
    ...missing.map(
      ({ subject, message }) =>
        `- ${subject}${message === undefined || message === null ? "" : `: ${message}`}`,
    ),
    "Do it now, with the tools you have. If it cannot be done, say why; a person will look at it.",
  ].join("\n");
}

type Result = Pick<Check, "status" | "message" | "evidence">;

function statusOf(state: LoopState, requirement: Requirement): Result {
  const { evidence } = state;
  if (requirement.kind === "rule")
    return requirement.rule === "tasks_completed" ? tasksStatus(evidence) : toolsStatus(evidence);
  const seen = evidence.seen[nameOf(requirement)];
  if (seen === undefined) return { status: "pending", message: "It was never seen." };
  const proof = [{ kind: "tool_call", summary: seen.tool_call_id }];
  if (seen.unseen === true)
    return { status: "needs_review", message: "It ran, and nobody saw how it ended.", evidence: proof };
  if (!seen.ok) return { status: "failed", message: "It failed the last time.", evidence: proof };
  return { ...heldSince(evidence, seen.call), evidence: proof };
}

/** Whether what was seen at that call is still so. */
function heldSince({ direct = [], changed }: LoopState["evidence"], call: number): Result {
  if (direct.length > 0)
    return { status: "needs_review", message: "A person runs a tool that may change it." };
  if (call < changed) return { status: "needs_review", message: "Something was changed since." };
  return { status: "passed" };
}

function tasksStatus(evidence: LoopState["evidence"]): Result {
  const { listed } = evidence;
  if (listed === undefined) return { status: "pending", message: "No tasks were listed." };
  const { call, undone } = listed;
  if (undone.length > 0) return { status: "failed", message: `Not done: ${undone.join(", ")}.` };
  return heldSince(evidence, call);
}

function toolsStatus({ failing }: LoopState["evidence"]): Result {
  if (failing.length === 0) return { status: "passed" };
  const message = `The last call is not known to have succeeded of: ${failing.join(", ")}.`;
  return { status: "failed", message };
}

function toolOf(requirement: Requirement): string[] {
  switch (requirement.kind) {
    case "command":
      return ["shell"];
    case "file":
      return ["read_file"];
    case "tool":
      return [requirement.tool];
    case "rule":
      return requirement.rule === "tasks_completed" ? ["update_tasks"] : [];
  }
}
