import type { Owner } from "../define.ts";
import { EVENTS, EVENT_TYPES, ownerOf } from "../events.ts";
import type { FrontendName } from "../stream-events.ts";
import { textIn } from "../told.ts";

export const RUNTIME = "runtime";
export const AGENT = "agent";
/** Whoever is at the controls: approvals go through here, whoever decides them in the end. */
export const OPERATOR = "operator";

/** Who said an event, and to whom. */
export interface Routed {
  readonly from: string;
  readonly to: readonly string[];
}

type Router = Routed | ((payload: unknown) => Routed);

const NAME_CHARS = 200;

function other(kind: "tool" | "subagent", payload: unknown, ...fields: readonly string[]): string {
  return `${kind}:${(textIn(payload, ...fields) ?? "unknown").slice(0, NAME_CHARS)}`;
}

const toOperator: Routed = { from: RUNTIME, to: [OPERATOR] };
const toAgent: Routed = { from: RUNTIME, to: [AGENT] };
const asked: Routed = { from: OPERATOR, to: [AGENT] };
const fromTool = (payload: unknown): Routed => ({ from: other("tool", payload, "tool_name"), to: [AGENT] });

/** Where the owner of the event does not say it all. */
const ROUTERS: { readonly [N in FrontendName]?: Router } = {
  session_state: toOperator,
  session_checkpoint: toOperator,
  turn_end: toOperator,
  completed: toOperator,
  error: toOperator,
  health_snapshot: toOperator,
  effect_verdict: toOperator,
  turn_start: asked,
  input_queued: asked,
  approval_required: { from: AGENT, to: [OPERATOR] },
  approval_applied: (payload) =>
    // Nobody decided it: its time ran out.
    textIn(payload, "decision") === "expired" ? { from: RUNTIME, to: [OPERATOR, AGENT] } : asked,
  tool_call: (payload) => ({ from: AGENT, to: [other("tool", payload, "name")] }),
  tool_result: fromTool,
  tool_outcome: fromTool,
  tool_batch: { from: AGENT, to: [RUNTIME] },
  tool_selected: toAgent,
  tool_validation_error: toAgent,
  subagent_event: (payload) => ({ from: other("subagent", payload, "agent_id"), to: [AGENT] }),
};

const OWNERS: ReadonlyMap<string, Owner> = new Map(
  EVENT_TYPES.flatMap((type) => {
    const name: string | null = EVENTS[type].faces.frontend;
    return name === null ? [] : [[name, EVENTS[type].owner]];
  }),
);

/** Total: what no table names goes by the owner of the event, as its namespace says. */
export function routed(type: string, payload: unknown): Routed {
  const router = Object.hasOwn(ROUTERS, type) ? ROUTERS[type as FrontendName] : undefined;
  if (router !== undefined) return typeof router === "function" ? router(payload) : router;
  return (OWNERS.get(type) ?? ownerOf(type)) === "agent" ? { from: AGENT, to: [OPERATOR] } : toAgent;
}
