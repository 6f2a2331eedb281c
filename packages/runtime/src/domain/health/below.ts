import type { EventData } from "@fairlead/contract";
import { isEnd } from "../delegation/status.ts";
import type { HealthState } from "./state.ts";

/** A sub-agent that works, at any depth, and what it asks people. */
export interface Below {
  readonly agent_id: string;
  readonly parent: string;
  readonly asks: readonly { readonly request_id: string; readonly tool_name: string }[];
}

/** More are not looked at: the row is bounded. */
const MOST = 100;

/** What is said of a sub-agent makes of the session it is told to. */
export function foldBelow(state: HealthState, said: EventData<"runtime.subagent.event">): void {
  const { session_id, status, request_id, decision } = said;
  if (session_id === undefined) return;
  const { [session_id]: known, ...others } = state.below;
  if (isEnd(status)) {
    state.below = others;
    return;
  }
  if (known === undefined && (status !== "started" || Object.keys(others).length >= MOST)) return;
  const rest = (known?.asks ?? []).filter((one) => one.request_id !== request_id);
  const asks =
    request_id === undefined || decision !== undefined
      ? rest
      : [...rest, { request_id, tool_name: said.tool_name ?? "something" }];
  state.below = {
    ...others,
    [session_id]: { agent_id: said.agent_id, parent: said.parent_session_id, asks },
  };
}

/** Those who wait for a person. */
export function askingBelow({ below }: Pick<HealthState, "below">): readonly Below[] {
  return Object.values(below).filter(({ asks }) => asks.length > 0);
}

/** What people are to decide so that they go on. */
export function hintBelow(session_id: string, asking: readonly Below[]): string {
  const each = asking.flatMap(({ agent_id, asks }) =>
    asks.map(({ request_id, tool_name }) => `${agent_id} asks about ${tool_name} (${request_id})`),
  );
  return `A sub-agent waits for a person: ${each.join(", ")}. Decide it: \`GET /approvals?session_id=${session_id}\`.`;
}
