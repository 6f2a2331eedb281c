import type { NewEvent, SessionRow, SessionState } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { BACKGROUND, MAX_RETRIES } from "../../domain/kernel/background.ts";
import { boundsOf, queuedState } from "../../domain/kernel/session-events.ts";
import type { Engine } from "../../ports/engine.ts";
import type { KernelDeps } from "./context.ts";
import { load } from "./context.ts";
import { engineNamed } from "./engines.ts";
import { demandTime, inputEvent } from "./start.ts";
import type { ResumeSession } from "./types.ts";
import type { SessionId } from "@fairlead/contract";

/** Said to a branch, where nobody says more. */
const GO_ON = "Go on with the task from here.";

/** New background work that shares the history of this up to a place in it. */
export async function branchSession(
  deps: KernelDeps,
  actor: Actor,
  parent: SessionId,
  input: ResumeSession,
): Promise<{ readonly row: SessionRow; readonly engine: Engine }> {
  const { branches, ids, clock } = deps;
  const { input: said = GO_ON, reason: _reason, policy, max_retries, expires_at, metadata, ...from } = input;
  demandTime(expires_at);
  const { state: before } = await load(deps, parent);
  const engine = engineNamed(deps.engines, before.engine ?? undefined);
  // Its own bounds, said so that what was chosen for the parent does not hold over them.
  const bounds = {
    max_retries: before.max_retries ?? MAX_RETRIES,
    expires_at: null,
    metadata: before.metadata ?? {},
    ...boundsOf(
      {
        ...(policy === undefined ? {} : { policy }),
        ...(max_retries === undefined ? {} : { max_retries }),
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(metadata === undefined ? {} : { metadata }),
      },
      before.metadata,
    ),
  };
  const row = await branches.branch(actor, parent, from, {
    kind: BACKGROUND,
    body: { input: said, ...bounds },
    changes: bounds,
    events: (first, { paused }): NewEvent[] => {
      const at = new Date(clock.now()).toISOString();
      const last = first.at(-1) as NewEvent;
      const state = queuedState(
        { ...(last.data as SessionState), ...bounds },
        engine.id,
        engine.fidelity,
        at,
      );
      return [
        ...first.slice(0, -1),
        ...(paused === null ? [] : [goingOn(state.session_id, actor.name)]),
        { ...last, type: "runtime.session.state", data: state },
        inputEvent(ids.next("input"), "queue", said, actor.name),
      ];
    },
  });
  return { row, engine };
}

/** Somebody wanted the parent to wait there: the branch does not. */
function goingOn(session_id: string, actor: string): NewEvent {
  return { type: "runtime.session.resuming", data: { session_id, actor, reason: "branched" } };
}
