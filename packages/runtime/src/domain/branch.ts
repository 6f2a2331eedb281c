import type { EventId, NewEvent, SessionId, SessionSettings, SessionState } from "@fairlead/contract";
import { toolLeft } from "./branch-calls.ts";
import { given } from "./given.ts";
import type { LoopState } from "./loop/state.ts";
import { OWN_AGENT, decideTurn } from "./turn-decide.ts";

/** Why a turn of the parent has an end in the branch, and inputs of the parent are dropped there. */
const BRANCHED = "branched";

export interface NewBranch {
  readonly session_id: SessionId;
  readonly kind: string;
  /** Whose event the history ends with, and where. */
  readonly source: { readonly session: string; readonly event_id: EventId; readonly resume_cursor: string };
  /** The loop as it stood there. */
  readonly loop: LoopState;
  /** What it is called, where nobody chose a title for it. */
  readonly title: string | null;
  /** What is to be otherwise than it was. */
  readonly changes: SessionSettings;
  /** Where it works, and what is said of that. */
  readonly place: {
    readonly state: Pick<SessionState, "workspace" | "workspace_id" | "workspace_host">;
    readonly events: readonly NewEvent[];
  };
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor: string;
  readonly cause: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * The first commit of a branch. What it inherits may be in the middle of something that only the parent goes on with:
 * here it is closed, so that every request has an end, every call an answer, and nobody's input is heard twice.
 */
export function branchEvents(branch: NewBranch): NewEvent[] {
  const { session_id, source, loop, actor, cause } = branch;
  const changes = anew(branch);
  const state = branchState(branch);
  const ended = endOfTurn(branch, state);
  return [
    {
      type: "runtime.session.checkpoint",
      cause,
      data: {
        session_id,
        sequence: 1,
        checkpoint_type: "resume_seed",
        status: "completed",
        summary_text: branch.summary,
        resume_cursor: source.resume_cursor,
        details: { ...branch.details },
      },
    },
    ...branch.place.events.map((event): NewEvent => ({ ...event, cause })),
    // What was chosen for the parent holds over every state, so what is chosen anew must be said the same way.
    ...(Object.keys(changes).length === 0
      ? []
      : [{ type: "runtime.session.configured", cause, data: { session_id, actor, changes } } as const]),
    ...loop.held.map(({ input_id }): NewEvent => ({
      type: "runtime.input.taken",
      cause,
      data: { input_id, dropped: BRANCHED },
    })),
    ...(ended ?? [{ type: "runtime.session.state", cause, data: state } as const]),
  ];
}

/** What is chosen at the fork; its title too, where one was chosen for the parent. */
function anew({ loop, title, changes }: NewBranch): SessionSettings {
  return title === null || loop.chosen.title === undefined ? changes : { title, ...changes };
}

/** Of one run or one name, not of the conversation: a branch begins without. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  "aliases",
  "engine",
  "runner_kind",
  "approval_request_id",
  "workspace",
  "workspace_id",
  "workspace_host",
  "task_graph_id",
  "process_id",
  "attempt_count",
  "attempts_before",
  "max_retries",
  "expires_at",
  "last_heartbeat_at",
  "last_error",
  "updated_at",
  "ended_at",
  "resume_context",
  "delegation",
  "root_session_id",
  "depth",
]);

/** What the parent was at the fork, where that is not left behind. Fields that a newer writer added are carried on. */
function branchState({ session_id, kind, source, loop, title, changes, place }: NewBranch): SessionState {
  const kept = Object.entries(loop.settings ?? {}).filter(([field]) => !LEFT_BEHIND.has(field));
  return {
    ...Object.fromEntries(kept),
    ...given({ title: title ?? undefined }),
    ...changes,
    ...given({ workspace: loop.settings?.workspace_source ?? undefined }),
    ...place.state,
    session_id,
    kind,
    status: "idle",
    parent_session_id: source.session,
    branch_source_event_id: source.event_id,
    branch_resume_cursor: source.resume_cursor,
  };
}

/** The end of the turn that was open there, up to the state that says so; undefined when none was. */
function endOfTurn({ session_id, loop, at }: NewBranch, state: SessionState): NewEvent[] | undefined {
  const { turn } = loop;
  if (turn === null) return undefined;
  const { turn_id, started } = turn;
  const slot = { state: "running", turn_id, started } as const;
  const decision = decideTurn({ turn: slot, state }, { kind: "cancel", reason: BRANCHED });
  if (!decision.ok) throw new Error(decision.refusal.message);
  const own = { turn_id, agent_id: OWN_AGENT, cause: started };
  const depth = typeof state["depth"] === "number" ? state["depth"] : 0;
  const lifecycle: NewEvent = {
    ...own,
    type: "runtime.run.lifecycle",
    data: { run_id: turn_id, session_id, status: "cancelled", updated_at: at, depth },
  };
  const events = [...decision.events];
  // The session's state is the last word of a turn.
  events.splice(-1, 0, lifecycle);
  return [...turn.calls.flatMap((call) => toolLeft(call, own)), ...events];
}
