import type { NewEvent } from "@fairlead/contract";
import { type OwedHook, startedBy } from "../../domain/hooks/fold.ts";
import type { CallState } from "../../domain/loop/state.ts";
import type { HookDefinition } from "../../ports/hook.ts";
import { type Drive, envelopeOf, turnOf } from "../loop/context.ts";
import { outcomeEvent } from "../loop/records.ts";
import { hookEnded, hookEvent } from "./records.ts";
import type { HookEnd, HookSubject } from "./types.ts";

/** Before the first step. False when the turn does not go on now: it is stopped, or a hook stops it. */
export async function atTurnStart(drive: Drive): Promise<boolean> {
  const { step, input } = turnOf(drive);
  if (step > 0) return true;
  for (const hook of drive.hooks.at("turn_start")) {
    if (turnOf(drive).informed.includes(startedBy(hook.name))) continue;
    if (!passes(await perform(drive, hook, { input }))) return false;
  }
  return true;
}

/** Before a turn completes. False when it does not. */
export async function atTurnEnd(drive: Drive, output: string): Promise<boolean> {
  const hooks = drive.hooks.at("turn_end");
  for (const hook of hooks) if (!passes(await perform(drive, hook, { output }))) return false;
  // They may have taken long, and somebody may have spoken meanwhile.
  if (hooks.length > 0) await drive.journal.catchUp();
  return true;
}

/** Of calls that may run, those that hooks let run now. The others are denied, or left as they are when the turn stops. */
export async function beforeTools(drive: Drive, calls: readonly CallState[]): Promise<readonly CallState[]> {
  const passed = await Promise.all(calls.map((call) => beforeTool(drive, call)));
  return calls.filter((_, i) => passed[i]);
}

async function beforeTool(drive: Drive, call: CallState): Promise<boolean> {
  const { tool_name, ...subject } = subjectOf(call);
  for (const hook of drive.hooks.at("before_tool", tool_name)) {
    const end = await perform(drive, hook, { tool_name, ...subject });
    if (end.status === "cancelled") return false;
    if (!end.blocks) continue;
    drive.journal.emit([
      outcomeEvent(drive, subject.tool_call_id, tool_name, {
        status: "denied",
        outcome_type: "ToolDenied",
        elapsed_ms: 0,
        error: `The hook ${hook.name} does not let this run: ${end.told ?? end.reason ?? ""}`,
      }),
    ]);
    return false;
  }
  return true;
}

/**
 * Goes before the outcome, into the same commit: whoever goes on with the turn, or branches off, knows that a hook must
 * be asked before the result is used.
 */
export function owedHooks(
  drive: Pick<Drive, "journal" | "hooks">,
  call: CallState,
  outcome: string,
): NewEvent[] {
  const { tool_name, tool_call_id } = subjectOf(call);
  return pending(drive, drive.hooks.at("after_tool", tool_name), tool_call_id, outcome);
}

/** Runs what is owed after tools, one after another, until one of them stops the turn. */
export async function reviewStep(drive: Drive, owed: readonly OwedHook[]): Promise<void> {
  for (const one of owed) {
    await review(drive, one);
    if (drive.signal.aborted || turnOf(drive).hooking.stopped !== null) return;
  }
}

async function review(drive: Drive, { hook: name, tool_call_id, outcome }: OwedHook): Promise<void> {
  const call = turnOf(drive).calls.find(({ requested }) => requested.tool_call_id === tool_call_id);
  const subject = call === undefined ? { tool_call_id } : subjectOf(call);
  const all = "tool_name" in subject ? drive.hooks.at("after_tool", subject.tool_name) : [];
  const at = all.findIndex((hook) => hook.name === name);
  const hook = all[at];
  if (hook === undefined) {
    const gone = { name, on: "after_tool", blocking: false } as const;
    const reason = "The configuration has it no more.";
    drive.journal.emit([{ ...envelopeOf(drive), ...hookEvent(gone, "skipped", { tool_call_id, reason }) }]);
  } else {
    const text = toldOf(drive, tool_call_id);
    const end = await perform(drive, hook, { ...subject, outcome: { status: outcome, text } });
    if (!passes(end)) return;
  }
  // In the same commit as the end of the one before it.
  drive.journal.emit(pending(drive, all.slice(at + 1), tool_call_id, outcome));
}

/** The first of these is owed, and with it the others. */
function pending(
  drive: Pick<Drive, "journal">,
  hooks: readonly HookDefinition[],
  tool_call_id: string,
  outcome: string,
): NewEvent[] {
  const [first] = hooks;
  if (first === undefined) return [];
  const details = { outcome, gate: hooks.some(({ blocking }) => blocking) };
  return [{ ...envelopeOf(drive), ...hookEvent(first, "pending", { tool_call_id, details }) }];
}

/** Recorded before it runs and after. */
async function perform(
  drive: Drive,
  hook: HookDefinition,
  subject: Omit<HookSubject, "workspace" | "session_id" | "turn_id">,
): Promise<HookEnd> {
  const { journal, session, place, hooks, signal } = drive;
  const envelope = envelopeOf(drive);
  const { tool_call_id } = subject;
  const about = tool_call_id === undefined ? {} : { tool_call_id };
  const whole = { workspace: place.path(), session_id: session, turn_id: envelope.turn_id, ...subject };
  const end = await hooks.run(hook, whole, signal, async () => {
    journal.emit([{ ...envelope, ...hookEvent(hook, "started", about) }]);
    await journal.flush();
  });
  journal.emit([{ ...envelope, ...hookEnded(hook, end, tool_call_id) }]);
  return end;
}

function passes({ status, blocks }: HookEnd): boolean {
  return !blocks && status !== "cancelled";
}

function subjectOf({ requested, started }: CallState) {
  const { tool_call_id } = requested;
  const { name, arguments: args } = started ?? { name: requested.name, arguments: {} };
  return { tool_name: name, tool_call_id, arguments: args };
}

/** What the model would be told of it. */
function toldOf({ journal }: Drive, tool_call_id: string): string {
  const message = journal.state.messages.findLast(
    (one) => one.role === "tool" && one.tool_call_id === tool_call_id,
  );
  return message?.text ?? "";
}
