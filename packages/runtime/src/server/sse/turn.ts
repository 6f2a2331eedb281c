import type { AnyEvent } from "@fairlead/contract";
import type { FastifyReply } from "fastify";
import type { Actor } from "../../domain/actor.ts";
import type { StartedTurn } from "../../services/types.ts";
import type { Credential } from "../auth/credentials.ts";
import type { Context } from "../handlers.ts";
import { openStream, serve } from "./serve.ts";
import { viewOfStream } from "./view.ts";

interface Caller {
  readonly actor: Actor;
  readonly credential: Credential;
  readonly reply: FastifyReply;
}

/**
 * The answer to a turn as events: first `session`, which is not stored and so has no `id:`, then the
 * turn from its start to its end. Who loses the connection goes on with the session's own stream.
 */
export function openTurnStream(context: Context, caller: Caller, turn: StartedTurn): void {
  const { session_id, turn_id, seq } = turn;
  const stream = openStream(context, caller);
  const session = { type: "session", payload: { session_id } };
  stream.outlet.nudge(`data: ${JSON.stringify(session)}\n\n`);
  serve(context, stream, {
    view: viewOfStream("frontend", undefined),
    after: seq - 1,
    follow: (after, signal) => untilTurnEnds(context.log.subscribe(session_id, { after, signal }), turn_id),
    finite: true,
  });
}

const OUTCOMES: ReadonlySet<string> = new Set([
  "runtime.request.completed",
  "runtime.request.failed",
  "runtime.request.cancelled",
]);

/** A parked turn has an end but no outcome yet: it goes on when someone has decided. */
function endsTurn(event: AnyEvent, turnId: string): boolean {
  if (event.turn_id !== turnId) return false;
  if (event.type !== "runtime.turn.ended") return OUTCOMES.has(event.type);
  return (event.data as { status?: unknown }).status === "parked";
}

async function* untilTurnEnds(
  batches: AsyncIterable<readonly AnyEvent[]>,
  turnId: string,
): AsyncGenerator<readonly AnyEvent[]> {
  for await (const batch of batches) {
    const end = batch.findIndex((event) => endsTurn(event, turnId));
    if (end === -1) yield batch;
    else return yield batch.slice(0, end + 1);
  }
}
