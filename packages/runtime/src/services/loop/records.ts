import type { NewEvent, ToolOutcomeStatus } from "@fairlead/contract";
import type { GuardFault, GuardedCall } from "../../domain/guard/types.ts";
import type { CallState } from "../../domain/loop/state.ts";
import type { Tool } from "../../ports/tool.ts";
import type { ToolOutcome } from "../tools/types.ts";
import { type Drive, envelopeOf, turnOf } from "./context.ts";

/** A call that may run: all that had to be decided about it is decided. */
export function startEvent(
  drive: Drive,
  { name, arguments: args, tool_call_id }: GuardedCall,
  tool: Pick<Tool, "access" | "effect" | "parallel" | "kind"> | undefined,
): NewEvent {
  const { access = "write", effect = "once", parallel = false } = tool ?? {};
  return {
    ...envelopeOf(drive),
    type: "agent.tool.start",
    seal: true,
    data: {
      name,
      arguments: { ...args, _tool_call_id: tool_call_id },
      tool_call_id,
      step: turnOf(drive).step,
      access,
      effect,
      parallel,
      ...(tool?.kind === "delegation" ? { delegates: true } : {}),
    },
  };
}

/** It was called and does not run: a row that began and ended. */
export function deniedEvents(
  drive: Drive,
  call: CallState,
  guarded: GuardedCall,
  tool: Tool | undefined,
  reason: string,
): NewEvent[] {
  const { tool_call_id } = call.requested;
  return [
    startEvent(drive, guarded, tool),
    outcomeEvent(drive, tool_call_id, guarded.name, {
      status: "denied",
      outcome_type: "ToolDenied",
      elapsed_ms: 0,
      error: reason,
    }),
  ];
}

export function outcomeEvent(
  drive: Pick<Drive, "journal">,
  tool_call_id: string,
  tool_name: string,
  outcome: Omit<ToolOutcome, "told" | "events"> & { readonly status: ToolOutcomeStatus },
): NewEvent {
  const { status, outcome_type, elapsed_ms, result, error, children } = outcome;
  return {
    ...envelopeOf(drive),
    type: "agent.tool.outcome",
    seal: true,
    data: {
      tool_call_id,
      tool_name,
      outcome_type,
      status,
      elapsed_ms,
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
      ...(children === undefined ? {} : { children: children.map((child) => ({ ...child })) }),
    },
  };
}

/** What a tool gave back, then how it ended, with what goes along. */
export function finishedEvents(
  drive: Pick<Drive, "journal">,
  call: CallState,
  outcome: ToolOutcome,
): NewEvent[] {
  const { tool_call_id } = call.requested;
  const tool_name = call.started?.name ?? call.requested.name;
  const envelope = envelopeOf(drive);
  const shows = outcome.status === "ok" || outcome.status === "artifact";
  const result: NewEvent[] = shows
    ? [
        {
          ...envelope,
          type: "agent.tool.result",
          seal: true,
          data: { tool_call_id, tool_name, result: outcome.told },
        },
      ]
    : [];
  return [
    ...result,
    ...outcome.events.map((event) => ({ ...envelope, ...event })),
    outcomeEvent(drive, tool_call_id, tool_name, outcome),
  ];
}

export function invalidEvent(drive: Drive, call: CallState, faults: readonly GuardFault[]): NewEvent {
  const { tool_call_id, name } = call.requested;
  const { misfits, step } = turnOf(drive);
  return {
    ...envelopeOf(drive),
    type: "agent.tool.invalid",
    seal: true,
    data: {
      tool_call_id,
      tool_name: name,
      error: faults.map(({ error }) => error).join("\n"),
      attempt: misfits + 1,
      kind: faults[0]?.kind ?? "schema",
      step,
    },
  };
}

export function repairedEvent(drive: Drive, call: CallState, { repairs }: GuardedCall): NewEvent {
  const { tool_call_id, name } = call.requested;
  return {
    ...envelopeOf(drive),
    type: "agent.tool.invalid",
    seal: true,
    data: {
      tool_call_id,
      tool_name: name,
      error: repairs.map(({ error }) => error).join("\n"),
      kind: repairs[0]?.kind ?? "schema",
      repaired: true,
      repairs: repairs.map(({ error }) => error),
      step: turnOf(drive).step,
    },
  };
}
