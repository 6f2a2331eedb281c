import type { Delegation, EventData, NewEvent, SessionId, StreamId, Wait } from "@fairlead/contract";
import { type Counted, measuredOf, NONE_COUNTED } from "../health/below.ts";
import type { LoopState } from "../loop/state.ts";
import { isEnd } from "./status.ts";

/** Words for another stream, to be written in the same commit as the events they are about. */
export interface Told {
  readonly stream: StreamId;
  readonly events: readonly NewEvent[];
}

type Said = EventData<"runtime.subagent.event">;

const SUMMARY_CHARS = 400;

/** What the session works under, if it is a sub-agent's; null otherwise. */
export function delegationOf({ settings }: Pick<LoopState, "settings">): Delegation | null {
  return settings?.delegation ?? null;
}

/** The sessions that hear of a sub-agent: who delegated it, and the one at the top. */
function above({ parent_session_id, root_session_id }: Delegation): readonly SessionId[] {
  return [...new Set([parent_session_id, root_session_id])] as SessionId[];
}

/** A question of a sub-agent says whose it is, so that the sessions above list it. */
export function marked({ settings }: Pick<LoopState, "settings">, event: NewEvent): NewEvent {
  const delegation = settings?.delegation ?? null;
  if (delegation === null || event.type !== "runtime.question.asked") return event;
  const data = {
    ...event.data,
    agent_id: delegation.agent_id,
    parent_session_id: delegation.parent_session_id as SessionId,
    root_session_id: delegation.root_session_id as SessionId,
    depth: settings?.depth ?? 1,
  };
  return { ...event, data };
}

/** Shorter waits are not told of. */
const LONG_MS = 60_000;

/**
 * What those above are told of a sub-agent's events, before these are folded: that it asks, that it waits for long, how it
 * ended, and to the session at the top also what it delegates further, and where that limits it what it uses, in steps.
 * Nothing else: they are not flooded.
 */
export function surfaced(
  state: LoopState,
  session: SessionId,
  events: readonly NewEvent[],
  now: number,
  counted: Counted = NONE_COUNTED,
): readonly Told[] {
  const delegation = delegationOf(state);
  if (delegation === null) return [];
  const told: Told[] = [];
  for (const event of events) {
    if (event.type === "runtime.question.asked") {
      const { request_id, tool_name, reason } = event.data;
      const said = { ...about(state, delegation, session), status: "awaiting_approval" };
      const asked = { ...said, request_id, tool_name, reason };
      for (const stream of above(delegation)) told.push(toldTo(stream, delegation, asked));
    } else if (event.type === "runtime.subagent.event") {
      const root = delegation.root_session_id as SessionId;
      if (root !== session) told.push({ stream: root, events: [{ ...event, turn_id: null, cause: null }] });
    } else if (event.type === "runtime.turn.ended" && waitsLong(event.data.waits, now)) {
      const { reason = "It waits for a time." } = event.data;
      const until = untilOf(event.data.waits) as string;
      const said = { ...about(state, delegation, session), status: "waiting", reason, until };
      for (const stream of above(delegation)) told.push(toldTo(stream, delegation, said));
    } else if (event.type === "runtime.turn.resumed" && untilOf(state.turn?.waits) !== undefined) {
      const said = { ...about(state, delegation, session), status: "running" };
      for (const stream of above(delegation)) told.push(toldTo(stream, delegation, said));
    } else if (event.type === "runtime.turn.ended" && isDelegatedTurn(state, event.data)) {
      const since = Date.parse(delegation.started_at ?? "");
      const elapsed_ms = Number.isNaN(since) ? 0 : Math.max(0, now - since);
      const measured = measuredOf(counted);
      const said = {
        ...about(state, delegation, session),
        ...endOf(state, events, event.data),
        elapsed_ms,
        ...(measured === undefined ? {} : { measured }),
      };
      for (const stream of above(delegation)) told.push(toldTo(stream, delegation, said));
    }
  }
  return told;
}

/** What a sub-agent has come to by now, for the session at the top alone: its policy limits that. */
export function toldSoFar(
  state: LoopState,
  session: SessionId,
  soFar: Pick<Said, "tokens" | "cost_usd" | "measured">,
): readonly Told[] {
  const delegation = delegationOf(state);
  if (delegation === null) return [];
  const said = { ...about(state, delegation, session), status: "running", ...soFar };
  return [toldTo(delegation.root_session_id as SessionId, delegation, said)];
}

/** When the last of the timers is over. */
function untilOf(waits: readonly Wait[] | null | undefined): string | undefined {
  return waits?.flatMap((wait) => (wait.kind === "timer" ? [wait.until] : [])).at(-1);
}

function waitsLong(waits: readonly Wait[] | undefined, now: number): boolean {
  return Date.parse(untilOf(waits) ?? "") - now >= LONG_MS;
}

/** Of a sub-agent's session only the first turn is what was delegated; what people ask of it later is theirs. */
function isDelegatedTurn(
  { turn, turns }: LoopState,
  { turn_id, status }: EventData<"runtime.turn.ended">,
): boolean {
  return turns === 1 && turn?.turn_id === turn_id && status !== "parked";
}

function about({ settings }: LoopState, delegation: Delegation, session: SessionId) {
  const { agent_id, parent_session_id, root_session_id, tool_call_id } = delegation;
  const depth = settings?.depth ?? 1;
  return { agent_id, parent_session_id, session_id: session, tool_call_id, root_session_id, depth };
}

function toldTo(
  stream: SessionId,
  { parent_session_id, parent_turn_id, agent_id }: Delegation,
  data: Said,
): Told {
  const own = { type: "runtime.subagent.event", agent_id, cause: null } as const;
  if (stream === parent_session_id)
    // Who delegated it goes on with what it said, secrets included.
    return { stream, events: [{ ...own, turn_id: parent_turn_id, seal: true, data }] };
  // To the others the short form is enough.
  const { output: _, ...short } = data;
  return { stream, events: [{ ...own, turn_id: null, data: short }] };
}

type End = Pick<Said, "status" | "output" | "summary" | "reason" | "tokens" | "output_tokens" | "cost_usd">;

/** Said with the end of the turn: the last words, or why there are none. */
function endOf(
  { turn }: LoopState,
  events: readonly NewEvent[],
  { status, reason }: EventData<"runtime.turn.ended">,
): End {
  const { tokens = 0, output_tokens = 0, cost_usd = 0 } = turn ?? {};
  // Where no price is known nothing is said of it.
  const used = { tokens, output_tokens, ...(cost_usd === 0 ? {} : { cost_usd }) };
  const said = events.find(({ type }) => type.startsWith("runtime.request."));
  if (said?.type === "runtime.request.completed") {
    const { output } = said.data;
    return { status: "completed", ...used, output, summary: clipped(output) };
  }
  const why = said?.type === "runtime.request.failed" ? `${said.data.error} (${said.data.code})` : reason;
  return {
    status: isEnd(status) ? status : "failed",
    ...used,
    ...(why === undefined ? {} : { reason: why }),
  };
}

function clipped(text: string): string {
  const chars = Array.from(text.trim());
  return chars.length > SUMMARY_CHARS ? `${chars.slice(0, SUMMARY_CHARS - 1).join("")}…` : chars.join("");
}
