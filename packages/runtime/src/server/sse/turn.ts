import type { AnyEvent, Wait } from "@fairlead/contract";
import type { FastifyReply } from "fastify";
import type { Actor } from "../../domain/actor.ts";
import { is } from "../../domain/event.ts";
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
 * turn from the first event of the commit that starts it to the last of the one that ends it. Who loses the connection goes on with the session's own stream.
 */
export function openTurnStream(context: Context, caller: Caller, turn: StartedTurn): void {
  const { session_id, turn_id, seq } = turn;
  const headOf = async (): Promise<number> => (await context.log.stream(session_id))?.head_seq ?? 0;
  const stream = openStream(context, caller);
  const session = { type: "session", payload: { session_id } };
  stream.outlet.nudge(`data: ${JSON.stringify(session)}\n\n`);
  serve(context, stream, {
    view: viewOfStream("frontend", undefined),
    after: seq - 1,
    follow: (after, signal) =>
      untilTurnEnds(context.log.subscribe(session_id, { after, signal }), turn_id, headOf),
    finite: true,
  });
}

const OUTCOMES: ReadonlySet<string> = new Set([
  "runtime.request.completed",
  "runtime.request.failed",
  "runtime.request.cancelled",
]);

/**
 * A parked turn has an end but no outcome yet: it goes on when someone has decided. One that only waits for its
 * sub-agents is at work, and goes on by itself.
 */
function endsTurn(event: AnyEvent, turnId: string): boolean {
  if (event.turn_id !== turnId) return false;
  if (!is(event, "runtime.turn.ended")) return OUTCOMES.has(event.type);
  return event.data.status === "parked" && !isAtWork(event.data.waits ?? []);
}

function isAtWork(waits: readonly Wait[]): boolean {
  return waits.length > 0 && waits.every(({ kind }) => kind === "session");
}

/**
 * A commit may come in two batches, so its end is where its last event is known to be: the session's
 * new state, or an event of something else, or else the head, because a commit is there as a whole.
 */
async function* untilTurnEnds(
  batches: AsyncIterable<readonly AnyEvent[]>,
  turnId: string,
  headOf: () => Promise<number>,
): AsyncGenerator<readonly AnyEvent[]> {
  let over = false;
  for await (const batch of batches) {
    for (const [at, event] of batch.entries()) {
      if (over && event.turn_id !== turnId) return yield batch.slice(0, at);
      if (over && event.type === "runtime.session.state") return yield batch.slice(0, at + 1);
      over ||= endsTurn(event, turnId);
    }
    yield batch;
    if (over && (await headOf()) <= (batch.at(-1)?.seq ?? 0)) return;
  }
}
