import type { EventId, NewEvent, QuestionId, RequestedCall, SessionId, StreamId } from "@fairlead/contract";
import { given } from "../../domain/given.ts";
import type { GuardedCall, GuardFault } from "../../domain/guard/types.ts";
import { onlyReads } from "../../domain/workspace/only-reads.ts";
import type { DirectCall } from "../../domain/direct.ts";
import type { Appended, EventLog } from "../../ports/event-log.ts";
import type { Tool } from "../../ports/tool.ts";
import type { Clock } from "../../ports/clock.ts";
import { taken } from "../refusal.ts";
import type { Beside } from "../workspaces/beside.ts";
import type { Presence } from "./presence.ts";
import type { ToolGateway, ToolOutcome } from "./types.ts";

/** A tool asked for by a person or a program, not by a model. */
export interface DirectRequest {
  readonly session_id: SessionId;
  /** The seed's `requestId`; kept as the turn of its events. */
  readonly request_id: string;
  readonly agent_id: string;
  readonly call: RequestedCall;
  readonly workspace: string;
  readonly signal: AbortSignal;
  /** Of one that was lost and runs again: what says so, in the commit that starts it, and who may say so once. */
  readonly again?: { readonly events: readonly NewEvent[]; readonly key: string };
}

export type Permitted = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type DirectResult =
  | { readonly status: "invalid"; readonly faults: readonly GuardFault[] }
  | { readonly status: "denied"; readonly reason: string }
  | { readonly status: "ran"; readonly outcome: ToolOutcome };

export interface DirectDeps {
  readonly gateway: ToolGateway;
  readonly log: Pick<EventLog, "append" | "row">;
  readonly clock: Clock;
  /** Modes, rules and supervisors. What it throws denies. */
  readonly permit: (call: GuardedCall, tool: Tool, request: DirectRequest) => Promise<Permitted>;
  /** Told of what has run, once it is recorded. */
  readonly after: (call: GuardedCall, request: DirectRequest, outcome: ToolOutcome) => Promise<void>;
  /** Keeps the files that it can change, and says what is to be said of them. Never rejects. */
  readonly files: Beside;
  readonly presence: Pick<Presence, "during">;
  /** Nobody has to answer this any more. */
  readonly withdraw: (question: QuestionId, note: string) => Promise<void>;
}

/** A tool is given up some time after its limit, and clocks differ: nobody takes a call for lost before this is over too. */
const SLACK_MS = 60_000;

/**
 * Checks, asks, records, runs, records. What was not permitted leaves no event here: nothing was started. The seed
 * has no word for a direct call that failed; it is completed, with an output that has `status` and `error`.
 * What was recorded as started and has no end was lost with its process: lost.ts. Throws when the log refuses.
 */
export function createDirectTools({
  gateway,
  log,
  clock,
  permit,
  after,
  files,
  presence,
  withdraw,
}: DirectDeps): (request: DirectRequest) => Promise<DirectResult> {
  return async (request) => {
    const { call, workspace, signal } = request;
    await gateway.ready(signal);
    const guarded = await gateway.check(call, workspace);
    if (!guarded.ok) return { status: "invalid", faults: guarded.faults };
    const tool = gateway.tool(guarded.call.name);
    if (tool === undefined)
      return { status: "denied", reason: `There is no tool ${guarded.call.name} any more.` };
    const permitted = await permit(guarded.call, tool, request).catch((error: unknown): Permitted => ({
      ok: false,
      reason: `It could not be permitted: ${String(error)}`,
    }));
    if (!permitted.ok) return { status: "denied", reason: permitted.reason };

    return presence.during((holder) => perform(request, guarded.call, tool, holder));
  };

  async function perform(
    request: DirectRequest,
    guarded: GuardedCall,
    tool: Tool,
    holder: StreamId | undefined,
  ): Promise<DirectResult> {
    const { call, workspace, signal, session_id, request_id, again } = request;
    const tool_id = tool.spec.name;
    const { tool_call_id } = call;
    const until = new Date(clock.now() + tool.timeoutMs + SLACK_MS).toISOString();
    const data = {
      tool_id,
      tool_call_id,
      effect: tool.effect,
      arguments: guarded.arguments,
      until,
      ...given({ holder }),
    };
    const writes = tool.access !== "read" && !onlyReads(guarded);
    const kept = writes ? await files.before(session_id) : [];
    const starts: NewEvent = { type: "runtime.tool.direct.started", data, seal: true };
    const started = taken(
      await append(request, [...kept, ...(again?.events ?? []), starts], null, again && [again.key]),
    ).at(-1)?.id as EventId;
    const outcome = await gateway.run(guarded, {
      session_id,
      turn_id: request_id,
      tool_call_id,
      workspace,
      signal,
    });
    await complete(request, started, [
      ...outcome.events,
      { type: "runtime.tool.direct.completed", data: { tool_id, output: outputOf(outcome) } },
    ]);
    if (writes) await keepAfter(request, started);
    await after(guarded, request, outcome);
    return { status: "ran", outcome };
  }

  /** How it ended is on record by then: keeping takes its time, and whoever dies meanwhile leaves no open call behind. */
  async function keepAfter(request: DirectRequest, started: EventId): Promise<void> {
    const events = await files.after(request.session_id);
    // One that is refused is of a session that is gone: the call itself has ended well.
    if (events.length > 0) await append(request, events, started);
  }

  /** Who was taken for lost meanwhile says how it ended all the same: nobody has to guess any more. */
  async function complete(
    request: DirectRequest,
    started: EventId,
    events: readonly NewEvent[],
  ): Promise<void> {
    const first = await append(request, events, started, [endKey(started)]);
    if (first.ok) return;
    if (first.refusal.code !== "key_taken") return void taken(first);
    const row = await log.row<DirectCall>("direct", request.request_id);
    taken(await append(request, events, started));
    if (row?.state === "asked" && row.question !== null) await withdraw(row.question, "It ended after all.");
  }

  function append(
    { session_id, request_id, agent_id }: DirectRequest,
    events: readonly NewEvent[],
    cause: EventId | null,
    keys: readonly string[] = [],
  ): Promise<Appended> {
    const placed = events.map((event) => ({ ...event, turn_id: request_id, agent_id, cause }));
    return log.append({ writes: [{ stream: session_id, events: placed }], keys });
  }
}

/** Whoever has it says how this call ended, or that nobody knows. */
export function endKey(started: EventId): string {
  return `direct:${started}:ended`;
}

function outputOf({ status, result, error }: ToolOutcome): unknown {
  if (status === "ok" || status === "artifact") return result ?? null;
  return { status, error: error ?? null, ...(result === undefined ? {} : { result }) };
}
