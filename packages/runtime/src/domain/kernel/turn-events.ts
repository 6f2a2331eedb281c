import type { EventData, NewEvent, SessionState } from "@fairlead/contract";
import type { Refusal } from "../../ports/event-log.ts";
import type { LoopState } from "../loop/state.ts";
import type { AnyTurnCommand, FailTurn, ParkTurn } from "../turn-decide.ts";
import { attemptsSince, backOffMs, isBackground, mayPass, mayRetry } from "./background.ts";
import { type CheckpointType, checkpointEvent } from "./checkpoint.ts";
import { endStep } from "./steps.ts";
import { ENDED, type KernelEvent, kernelNext } from "./table.ts";

/** A park that stands in the place of a failure. */
interface Recovering extends ParkTurn {
  readonly failed: FailTurn;
}

export type KernelCommand = AnyTurnCommand | Recovering;

/**
 * What background work does where a chat's turn would fail: what may pass is waited for and tried again from the same
 * place, in the same turn. What ran is not run again for it.
 */
export function kernelCommand(state: SessionState, command: AnyTurnCommand, now: number): KernelCommand {
  if (!recovers(state, command)) return command;
  const until = new Date(now + backOffMs(attemptsSince(state))).toISOString();
  const reason = `Tried again after: ${command.error}`;
  return { kind: "park", reason, waits: [{ kind: "timer", until, reason }], failed: command };
}

export function recovers(state: SessionState | null, command: AnyTurnCommand): command is FailTurn {
  return command.kind === "fail" && isBackground(state) && mayPass(command.code) && mayRetry(state);
}

export interface Around {
  /** Before the command. */
  readonly loop: LoopState;
  readonly state: SessionState;
  readonly command: KernelCommand;
  readonly now: number;
}

type Shaped =
  | { readonly ok: true; readonly events: readonly NewEvent[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** What a turn's events are in background work: its states, its checkpoints and what it leaves behind go along. */
export function backgroundEvents(events: readonly NewEvent[], around: Around): Shaped {
  const { loop, state, command, now } = around;
  const event = kernelEventOf(around);
  const next = kernelNext(state.status, event);
  if (!next.ok) return next;
  const at = new Date(now).toISOString();
  const own = envelopeOf(events);
  const ended = ENDED.has(next.state);
  const context = contextOf(around);
  const steps = ended ? endStep(loop, state.session_id, stepEnd(event)) : [];
  const told = events.map((one): NewEvent =>
    one.type === "runtime.session.state"
      ? {
          ...one,
          data: {
            ...(one.data as SessionState),
            status: next.state,
            attempt_count: (state.attempt_count ?? 0) + (isNewRun(around) ? 1 : 0),
            ...(event === "run" ? { last_heartbeat_at: at } : {}),
            ...("failed" in command ? { last_error: command.failed.error } : {}),
            updated_at: at,
            ended_at: ended ? at : null,
            resume_context: context,
          },
        }
      : one,
  );
  const said = checkpointOf(around, event, context);
  const beside: NewEvent[] = [
    ...steps,
    ...artifactsOf(around, own.turn_id),
    ...(said === undefined
      ? []
      : [
          checkpointEvent({
            ...said,
            session_id: state.session_id,
            after: loop.checkpoints + checkpointsIn(steps),
            status: next.state,
            details: { turn_id: own.turn_id, ...context },
          }),
        ]),
  ].map((one) => ({ ...own, ...one }));
  // The session's state is the first word of a turn, and the last.
  const last = command.kind === "start" ? told.length : told.length - 1;
  return { ok: true, events: [...told.slice(0, last), ...beside, ...told.slice(last)] };
}

function kernelEventOf({ loop, command }: Around): KernelEvent {
  switch (command.kind) {
    case "start":
    case "resume":
      return "run";
    case "park":
      if ("failed" in command) return "retry";
      if (loop.paused !== null) return "hold";
      if (command.waits.some(({ kind }) => kind === "question")) return "ask";
      return command.waits.some(({ kind }) => kind === "session") ? "delegate" : "defer";
    case "complete":
      return loop.evidence.missing ? "review" : "complete";
    case "fail":
      return command.code === "expired" ? "expire" : "fail";
    case "cancel":
      return "cancel";
  }
}

/** A wait that ends well goes on with the same run; what failed, or lost its process, is run anew. */
function isNewRun({ loop, state, command }: Around): boolean {
  if (command.kind === "start") return true;
  // The next attempt failed before it was on record: it counts, or there would be no end of them.
  if (command.kind === "park" && "failed" in command) return state.status === "recovering";
  if (command.kind !== "resume") return false;
  return loop.turn?.waits === null || state.resume_context?.["kind"] === "retry";
}

/** What whoever goes on must know: why it waits, and until when. */
function contextOf({ loop, state, command }: Around): Readonly<Record<string, unknown>> | null {
  if (command.kind !== "park") return null;
  if ("failed" in command) {
    const { code, error } = command.failed;
    return { kind: "retry", code, error, attempt: state.attempt_count ?? 0, until: untilOf(command) };
  }
  if (loop.paused !== null) return { kind: "paused", actor: loop.paused.actor, reason: loop.paused.reason };
  const request_ids = command.waits.flatMap((wait) => (wait.kind === "question" ? [wait.request_id] : []));
  if (request_ids.length > 0) return { kind: "approval", request_ids };
  const session_ids = command.waits.flatMap((wait) => (wait.kind === "session" ? [wait.session_id] : []));
  if (session_ids.length > 0) return { kind: "delegated", session_ids };
  return { kind: "timer", reason: command.reason, until: untilOf(command) };
}

function untilOf({ waits }: ParkTurn): string | null {
  return waits.flatMap((wait) => (wait.kind === "timer" ? [wait.until] : [])).at(-1) ?? null;
}

function checkpointOf(
  { loop, command }: Around,
  event: KernelEvent,
  context: ReturnType<typeof contextOf>,
): { readonly type: CheckpointType; readonly summary: string } | undefined {
  const steps = loop.turn?.step ?? 0;
  switch (command.kind) {
    case "start":
    case "resume":
      return undefined;
    case "park":
      if (event === "retry")
        return { type: "recovering", summary: `${command.reason} (${String(context?.["code"])})` };
      if (event === "hold")
        return { type: "paused", summary: `Paused by ${loop.paused?.actor}: ${loop.paused?.reason}` };
      return event === "ask" ? { type: "approval", summary: command.reason } : undefined;
    case "complete":
      if (event === "review")
        return { type: "needs_review", summary: `Done after ${steps} step(s), without all that it owes.` };
      return { type: "completed", summary: `Completed after ${steps} step(s).` };
    case "fail":
      return {
        type: event === "expire" ? "expired" : "failed",
        summary: `${command.error} (${command.code})`,
      };
    case "cancel":
      return {
        type: "cancelled",
        summary: `Cancelled${command.actor === undefined ? "" : ` by ${command.actor}`}: ${command.reason ?? "no reason given"}`,
      };
  }
}

function stepEnd(event: KernelEvent): "completed" | "failed" | "cancelled" {
  if (event === "complete" || event === "review") return "completed";
  return event === "cancel" ? "cancelled" : "failed";
}

/** The run, when it begins, and what it leaves at the end. */
function artifactsOf({ state, command }: Around, run_id: string): NewEvent<"runtime.artifact.created">[] {
  if (command.kind === "start")
    return [artifact({ id: `run_${run_id}`, kind: "agentic_run", run_id, engine: state.engine ?? null })];
  if (command.kind !== "complete") return [];
  const content = command.output;
  return [artifact({ id: `out_${run_id}`, kind: "final_output", mime_type: "text/plain", run_id, content })];
}

type Artifact = EventData<"runtime.artifact.created">["artifact"];

function artifact(made: Artifact): NewEvent<"runtime.artifact.created"> {
  return { type: "runtime.artifact.created", data: { artifact: made } };
}

function checkpointsIn(events: readonly NewEvent[]): number {
  return events.filter(({ type }) => type === "runtime.session.checkpoint").length;
}

function envelopeOf([first]: readonly NewEvent[]) {
  return { turn_id: first?.turn_id ?? "", agent_id: first?.agent_id ?? null, cause: first?.cause ?? null };
}
