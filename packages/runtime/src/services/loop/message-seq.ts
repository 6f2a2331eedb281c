import type { AnyEvent, SessionId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import { LOOP_TYPES, fold } from "../../domain/loop/fold.ts";
import { type LoopState, newLoopState } from "../../domain/loop/state.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { lastSnapshot, readWhole } from "./load.ts";

const PAGE = 1_000;

/**
 * The event that the message at `index` of `state` came with: folded again from a snapshot that is old enough, because a
 * message does not know its place when it is made. Everything up to `state.seq` must be written. Undefined where the log
 * no longer says it.
 */
export async function seqOfMessage(
  log: EventLog,
  session: SessionId,
  state: LoopState,
  index: number,
): Promise<number | undefined> {
  for (let before = state.seq; ;) {
    const start = (await lastSnapshot(log, session, before))?.state;
    // Read before it is folded further.
    const from = start?.seq;
    const seqs = await seqsFrom(log, session, start ?? newLoopState(), state.seq);
    // Of a log that was trimmed not all can be folded again.
    if (seqs.length !== state.messages.length) return undefined;
    if (seqs[index] !== undefined || from === undefined) return seqs[index];
    before = from;
  }
}

/** Of each message; undefined of those that were there at the start. */
async function seqsFrom(
  log: EventLog,
  session: SessionId,
  state: LoopState,
  upTo: number,
): Promise<readonly (number | undefined)[]> {
  let seqs: (number | undefined)[] = state.messages.map(() => undefined);
  const step = (event: AnyEvent): void => {
    fold(state, event);
    if (is(event, "agent.context.compacted")) {
      const { preserved_messages: kept } = event.data;
      seqs = [event.seq, ...(kept === 0 ? [] : seqs.slice(-kept))];
    }
    while (seqs.length < state.messages.length) seqs.push(event.seq);
  };
  for (let after: number | null = state.seq; after !== null && after < upTo;) {
    const page = await log.read(session, { after, types: LOOP_TYPES, limit: PAGE, history: "full" });
    for (const event of page.events) if (event.seq <= upTo) step(await readWhole(log, session, event));
    after = page.next;
  }
  return seqs;
}
