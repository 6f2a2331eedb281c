import type { EventData } from "@fairlead/contract";
import { isEnd } from "../delegation/status.ts";
import { given } from "../given.ts";
import { NOTHING, type Spent, sumSpent } from "./amounts.ts";
import type { HealthState } from "./state.ts";

/** A sub-agent that works, at any depth, and what it asks people. */
export interface Below {
  readonly agent_id: string;
  readonly parent: string;
  readonly asks: readonly { readonly request_id: string; readonly tool_name: string }[];
  /** It waits for a time, and why. */
  readonly until?: string;
  readonly why?: string;
  /** What it was last said to have used, with what ended below it, and what was counted of it alone. */
  readonly used?: Spent;
  readonly counted?: Counted;
}

/** What grows for good, of one session or of several. */
export interface Counted {
  readonly failed_calls: number;
  readonly loop_warnings: number;
  readonly repeated_plans: number;
}

export const NONE_COUNTED: Counted = { failed_calls: 0, loop_warnings: 0, repeated_plans: 0 };

export function sumOf(all: readonly Counted[]): Counted {
  return all.reduce(
    (sum, one) => ({
      failed_calls: sum.failed_calls + one.failed_calls,
      loop_warnings: sum.loop_warnings + one.loop_warnings,
      repeated_plans: sum.repeated_plans + one.repeated_plans,
    }),
    NONE_COUNTED,
  );
}

type Said = EventData<"runtime.subagent.event">;

/** Said of a sub-agent, at last with its end; undefined where there is nothing to say. Those below it say their own. */
export function measuredOf({ failed_calls, loop_warnings, repeated_plans }: Counted): Said["measured"] {
  if (failed_calls + loop_warnings + repeated_plans === 0) return undefined;
  return {
    ...(failed_calls === 0 ? {} : { failed_tool_calls: failed_calls }),
    ...(loop_warnings === 0 ? {} : { loop_warnings }),
    ...(repeated_plans === 0 ? {} : { repeated_plan_events: repeated_plans }),
  };
}

function countedIn(measured: Said["measured"]): Counted {
  const { failed_tool_calls = 0, loop_warnings = 0, repeated_plan_events = 0 } = measured ?? {};
  return { failed_calls: failed_tool_calls, loop_warnings, repeated_plans: repeated_plan_events };
}

/** More are not looked at: the row is bounded. */
const MOST = 100;

/** What is said of a sub-agent makes of the session it is told to. */
export function foldBelow(state: HealthState, said: Said): void {
  const { session_id, status, request_id, decision } = said;
  if (session_id === undefined) return;
  const { [session_id]: known, ...others } = state.below;
  if (isEnd(status)) {
    state.below = passedOn(others, said);
    state.done_below = sumOf([state.done_below, countedIn(said.measured)]);
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
    [session_id]: {
      agent_id: said.agent_id,
      parent: said.parent_session_id,
      asks,
      ...given({ until: said.until, why: said.until === undefined ? undefined : said.reason }),
      ...given({
        used: saidUsed(said) ?? known?.used,
        counted: said.measured === undefined ? known?.counted : countedIn(said.measured),
      }),
    },
  };
}

function saidUsed({ tokens, cost_usd = 0 }: Said): Spent | undefined {
  return tokens === undefined ? undefined : { tokens, cost_usd };
}

/** What one used that has ended is with the one that delegated it, until that one has ended too. */
function passedOn(below: HealthState["below"], said: Said): HealthState["below"] {
  const parent = below[said.parent_session_id];
  const used = saidUsed(said);
  if (parent === undefined || used === undefined) return below;
  return {
    ...below,
    [said.parent_session_id]: { ...parent, used: sumSpent([parent.used ?? NOTHING, used]) },
  };
}

/** What those at work have used, as far as they have said it. */
export function usedBelow({ below }: Pick<HealthState, "below">): Spent {
  return sumSpent(Object.values(below).map(({ used = NOTHING }) => used));
}

/** The same of what is counted. */
export function countedBelow({ below }: Pick<HealthState, "below">): Counted {
  return sumOf(Object.values(below).map(({ counted = NONE_COUNTED }) => counted));
}

/** All were told to go on, whatever time they waited for. */
export function hastenBelow(state: HealthState): void {
  const all = Object.entries(state.below).map(([id, { until: _, why: _why, ...one }]) => [id, one]);
  state.below = Object.fromEntries(all);
}

const WAITS = "What it delegated waits.";

/** Until when the last of those waits that wait for a time, and why; undefined where none does. */
export function waitsBelow({
  below,
}: Pick<HealthState, "below">): { readonly until: string; readonly reason: string } | undefined {
  const all = Object.values(below).flatMap(({ until, why }) => (until === undefined ? [] : [{ until, why }]));
  const last = all.toSorted((a, b) => (a.until < b.until ? -1 : 1)).at(-1);
  if (last === undefined) return undefined;
  const { until, why } = last;
  return { until, reason: why === undefined ? WAITS : `${WAITS} ${why}` };
}

/** Whether somebody below does something: not so where all that could go on wait for a person, or for a time. */
function isAtWork({ below }: Pick<HealthState, "below">): boolean {
  const all = Object.entries(below);
  const waitedFor = new Set(all.map(([, { parent }]) => parent));
  return (
    all.length === 0 ||
    all.some(
      ([id, { asks, until }]) => asks.length + (until === undefined ? 0 : 1) === 0 && !waitedFor.has(id),
    )
  );
}

/** The time in which a session waits for its sub-agents is time in which it works, as long as they do. */
export function countAway(state: HealthState, at: number): void {
  const held = state.status === "paused" || state.enforcement?.outcome === "open";
  const counts = state.delegating && !held && isAtWork(state);
  if (counts) state.away_since ??= at;
  if (counts || state.away_since === null) return;
  state.active_ms += Math.max(0, at - state.away_since);
  state.away_since = null;
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
