import { type EventData, type Requirement, Requirements } from "@fairlead/contract";
import { given } from "../given.ts";
import type { CallState, LoopState } from "../loop/state.ts";

interface Seen {
  readonly call: number;
  readonly ok: boolean;
  readonly tool_call_id: string;
  /** It ran, and how it ended is not known. */
  readonly unseen?: true;
}

/** What was seen of what a session owes. Order is counted, never read from a clock. */
export interface EvidenceState {
  /** Counts the calls that ended. */
  calls: number;
  /** The last call that may have changed something; 0: none has. */
  changed: number;
  /** What people run directly and may still change something with. Not in what was kept before it was known. */
  direct?: readonly string[];
  /** The last call that answers to each requirement, by its name. */
  seen: Record<string, Seen>;
  /** The last list of tasks: after which call it was made, and what it has that is not done. Unset: there is none. */
  listed?: { readonly call: number; readonly undone: readonly string[] };
  /** Tools whose last call failed. */
  failing: string[];
  /** How often the model was told in this turn what it owes. */
  asked: number;
  /** The turn ends without it. */
  missing: boolean;
}

export function newEvidence(): EvidenceState {
  return { calls: 0, changed: 0, seen: {}, failing: [], asked: 0, missing: false };
}

/** What the session owes. A list that this program cannot read is owed as a whole: nothing proves it. */
export function requirementsOf({
  settings,
}: Pick<LoopState, "settings">): readonly Requirement[] | "unreadable" {
  const { requires } = settings ?? {};
  if (requires === undefined || requires === null || requires.length === 0) return [];
  const read = Requirements.safeParse(requires);
  return read.success ? read.data : "unreadable";
}

export function nameOf(requirement: Requirement): string {
  switch (requirement.kind) {
    case "command":
      return `command:${requirement.command.trim()}`;
    case "file":
      return `file:${plain(requirement.path)}`;
    case "tool":
      return `tool:${requirement.tool}`;
    case "rule":
      return `rule:${requirement.rule}`;
  }
}

/** `ok`: how the call ended. `ran`: whether it can have done anything. Of an end that nobody saw nothing is proven. */
export function foldCall(
  state: LoopState,
  { requested, started, unseen }: CallState,
  { ok: said, ran }: { readonly ok: boolean; readonly ran: boolean },
): void {
  if (started === undefined || !ran) return;
  const ok = said && unseen !== true;
  const { evidence } = state;
  const { name, arguments: args, access, delegates } = started;
  evidence.calls += 1;
  const call = evidence.calls;
  const others = evidence.failing.filter((one) => one !== name);
  evidence.failing = ok ? others : [...others, name];
  const owed = requirementsOf(state);
  const answered = owed === "unreadable" ? [] : owed.filter((one) => answers(one, name, args));
  // A check is no change, though its tool could make one: who names a command as a check says so.
  const isCheck = answered.some(({ kind }) => kind === "command");
  if (!isCheck && (access === "write" || delegates === true)) evidence.changed = call;
  const { tool_call_id } = requested;
  for (const one of answered) evidence.seen[nameOf(one)] = { call, ok, tool_call_id, ...given({ unseen }) };
}

/** Something may be otherwise than it was, and no call of the model's made it so: what was seen before is old. */
export function foldChange({ evidence }: LoopState): void {
  evidence.calls += 1;
  evidence.changed = evidence.calls;
}

/** What was chosen not to be done is settled; what failed is not. */
const SETTLED: ReadonlySet<string> = new Set(["completed", "skipped", "cancelled"]);

/** A list without tasks shows nothing. */
export function foldTasks({ evidence }: LoopState, tasks: EventData<"runtime.task.list">["tasks"]): void {
  const undone = tasks.filter(({ status }) => !SETTLED.has(status)).map(({ title }) => title);
  if (tasks.length > 0) evidence.listed = { call: evidence.calls, undone };
  else delete evidence.listed;
}

/** Tools of ours that read or write the whole of what `path` names. What others mean by a path is not known. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["read_file", "write_file", "edit_file"]);

function answers(requirement: Requirement, name: string, args: Readonly<Record<string, unknown>>): boolean {
  switch (requirement.kind) {
    case "command":
      return name === "shell" && String(args["command"] ?? "").trim() === requirement.command.trim();
    case "file":
      return (
        FILE_TOOLS.has(name) &&
        typeof args["path"] === "string" &&
        plain(args["path"]) === plain(requirement.path)
      );
    case "tool":
      return name === requirement.tool;
    case "rule":
      return false;
  }
}

function plain(path: string): string {
  return path.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
}
