import type { EventData, HookStatus } from "@fairlead/contract";
import type { LoopState, TurnOfLoop } from "../loop/state.ts";

/** What hooks mean for the open turn. */
export interface Hooking {
  /** Hooks of tools that have run: the turn goes on only after them. */
  owed: OwedHook[];
  /** Why the turn does not go on. */
  stopped: string | null;
}

export interface OwedHook {
  readonly hook: string;
  readonly tool_call_id: string;
  /** How the tool ended. */
  readonly outcome: string;
  /** Whether it, or one after it, can stop the turn. */
  readonly gate: boolean;
}

export function newHooking(): Hooking {
  return { owed: [], stopped: null };
}

const ENDS: ReadonlySet<string> = new Set<HookStatus>([
  "completed",
  "blocked",
  "failed",
  "timed_out",
  "skipped",
]);

/** A hook of the start of a turn that has ended, among what a turn was asked about. */
export function startedBy(hook: string): string {
  return `hook:${hook}`;
}

/**
 * What a hook before a tool said is not kept: it is asked again by whoever runs the tool. What it said after a tool
 * is: the model hears nothing of a result that a hook withholds, in no later turn either.
 */
export function foldHook(state: LoopState, turn: TurnOfLoop, data: EventData<"runtime.hook.event">): void {
  const { hook, on, status, tool_call_id = "", blocks = false, reason = "", details } = data;
  const { hooking } = turn;
  if (status === "pending") {
    const outcome = typeof details?.["outcome"] === "string" ? details["outcome"] : "";
    hooking.owed.push({ hook, tool_call_id, outcome, gate: details?.["gate"] !== false });
  }
  // One that was broken off has not been asked, if the turn goes on.
  if (!ENDS.has(status)) return;
  if (on === "turn_start" && !blocks) turn.informed.push(startedBy(hook));
  if (on === "after_tool")
    hooking.owed = hooking.owed.filter((owed) => owed.hook !== hook || owed.tool_call_id !== tool_call_id);
  if (!blocks || on === "before_tool") return;
  hooking.stopped ??= `The hook ${hook} stopped the turn: ${reason}`;
  if (on === "after_tool") withhold(state, tool_call_id, hook);
}

/** The turn has ended before hooks had their say: what they would have judged is told to nobody. */
export function withholdOwed(state: LoopState, { hooking }: TurnOfLoop): void {
  for (const { tool_call_id, hook, gate } of hooking.owed) if (gate) withhold(state, tool_call_id, hook);
}

/** Without the reason: that is for people. */
function withhold(state: LoopState, tool_call_id: string, hook: string): void {
  const text = `It ran. The hook ${hook} withholds what it gave back.`;
  state.messages = state.messages.map((message) =>
    message.role === "tool" && message.tool_call_id === tool_call_id && message.text !== text
      ? { ...message, text, failed: true }
      : message,
  );
}
