import type { EventId, NewEvent, RequestedCall, SessionId } from "@fairlead/contract";
import type { GuardedCall, GuardFault } from "../../domain/guard/types.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Tool } from "../../ports/tool.ts";
import { taken } from "../refusal.ts";
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
}

export type Permitted = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type DirectResult =
  | { readonly status: "invalid"; readonly faults: readonly GuardFault[] }
  | { readonly status: "denied"; readonly reason: string }
  | { readonly status: "ran"; readonly outcome: ToolOutcome };

export interface DirectDeps {
  readonly gateway: ToolGateway;
  readonly log: Pick<EventLog, "append">;
  /** Modes, rules and supervisors. What it throws denies. */
  readonly permit: (call: GuardedCall, tool: Tool, request: DirectRequest) => Promise<Permitted>;
  /** Told of what has run, once it is recorded. */
  readonly after: (call: GuardedCall, request: DirectRequest, outcome: ToolOutcome) => Promise<void>;
}

/**
 * Checks, asks, records, runs, records. What was not permitted leaves no event here: nothing was started. The seed
 * has no word for a direct call that failed; it is completed, with an output that has `status` and `error`.
 * Throws when the log refuses.
 */
export function createDirectTools({
  gateway,
  log,
  permit,
  after,
}: DirectDeps): (request: DirectRequest) => Promise<DirectResult> {
  return async (request) => {
    const { call, workspace, signal, session_id, request_id } = request;
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

    const tool_id = tool.spec.name;
    const started = await record(request, [{ type: "runtime.tool.direct.started", data: { tool_id } }], null);
    const { tool_call_id } = call;
    const outcome = await gateway.run(guarded.call, {
      session_id,
      turn_id: request_id,
      tool_call_id,
      workspace,
      signal,
    });
    const completed: NewEvent = {
      type: "runtime.tool.direct.completed",
      data: { tool_id, output: outputOf(outcome) },
    };
    await record(request, [...outcome.events, completed], started);
    await after(guarded.call, request, outcome);
    return { status: "ran", outcome };
  };

  async function record(
    { session_id, request_id, agent_id }: DirectRequest,
    events: readonly NewEvent[],
    cause: EventId | null,
  ): Promise<EventId | null> {
    const placed = events.map((event) => ({ ...event, turn_id: request_id, agent_id, cause }));
    const stored = taken(await log.append({ writes: [{ stream: session_id, events: placed }] }));
    return stored.at(-1)?.id ?? null;
  }
}

function outputOf({ status, result, error }: ToolOutcome): unknown {
  if (status === "ok" || status === "artifact") return result ?? null;
  return { status, error: error ?? null, ...(result === undefined ? {} : { result }) };
}
