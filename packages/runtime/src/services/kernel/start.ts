import type { NewEvent, SessionRow, SessionState } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { given } from "../../domain/given.ts";
import { BACKGROUND, expiresAt } from "../../domain/kernel/background.ts";
import { checkpointEvent } from "../../domain/kernel/checkpoint.ts";
import { boundsOf, queuedState } from "../../domain/kernel/session-events.ts";
import { titleFrom } from "../../domain/turn-decide.ts";
import type { Engine } from "../../ports/engine.ts";
import { redacted } from "../redaction.ts";
import { badRequest } from "../refusal.ts";
import type { KernelDeps } from "./context.ts";
import { engineNamed } from "./engines.ts";
import type { StartSession } from "./types.ts";

/** The session, queued, and what drives it. */
export async function startSession(
  deps: KernelDeps,
  actor: Actor,
  input: StartSession,
): Promise<{ readonly row: SessionRow; readonly engine: Engine }> {
  const { task, engine: name, policy, max_retries, expires_at, metadata, ...chosen } = input;
  if (task.trim() === "") throw badRequest("`task` must say something.");
  demandTime(expires_at);
  const engine = engineNamed(deps.engines, name);
  const { sessions, ids, clock, redactor } = deps;
  const title = input.title ?? titleFrom(redacted(redactor, task));
  const bounds = boundsOf(
    { ...given({ policy, max_retries, metadata }), expires_at: expires_at ?? null },
    {},
  );
  const row = await sessions.create(
    actor,
    { ...chosen, title },
    {
      kind: BACKGROUND,
      body: { task, engine: engine.id, ...bounds, title: input.title ?? null },
      events: (first) => {
        const at = new Date(clock.now()).toISOString();
        const state = queuedState(
          { ...(first.data as SessionState), ...bounds },
          engine.id,
          engine.fidelity,
          at,
        );
        return [
          { ...first, type: "runtime.session.state", data: state },
          ...queuedEvents({ state, task, actor: actor.name, input_id: ids.next("input") }),
        ];
      },
    },
  );
  return { row, engine };
}

interface Queued {
  readonly state: SessionState;
  readonly task: string;
  readonly actor: string;
  readonly input_id: string;
}

/** What waits to be done, and a first place in its list of checkpoints. */
function queuedEvents({ state, task, actor, input_id }: Queued): NewEvent[] {
  return [
    checkpointEvent({
      session_id: state.session_id,
      after: 0,
      type: "queued",
      status: "queued",
      summary: `Queued by ${actor}: ${state.title ?? ""}`,
    }),
    inputEvent(input_id, "queue", task, actor),
  ];
}

/** What it is told, kept as it was said. */
export function inputEvent(
  input_id: string,
  mode: "queue" | "steer",
  input: string,
  actor: string,
): NewEvent {
  return {
    type: "runtime.input.queued",
    seal: true,
    data: { input_id: input_id as never, mode, input, actor },
  };
}

export function demandTime(expires_at: string | null | undefined): void {
  if (expires_at === undefined || expires_at === null) return;
  if (!Number.isFinite(expiresAt({ expires_at })))
    throw badRequest("`expires_at` is no time.", { expires_at });
}
