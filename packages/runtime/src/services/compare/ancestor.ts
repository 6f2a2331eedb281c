import type { StreamId } from "@fairlead/contract";
import type { EventLog, StreamInfo } from "../../ports/event-log.ts";

/** A stream that a session's history runs through, and up to where. */
interface Stretch {
  readonly id: StreamId;
  readonly upTo: number;
}

/** The session itself, then what it goes on from, nearest first. */
async function stretches(log: EventLog, stream: StreamInfo): Promise<readonly Stretch[]> {
  const found: Stretch[] = [];
  let upTo = stream.head_seq;
  for (let at: StreamInfo | undefined = stream; at !== undefined;) {
    found.push({ id: at.id, upTo: Math.min(upTo, at.head_seq) });
    upTo = at.base_seq;
    at = at.parent === null ? undefined : await log.stream(at.parent);
  }
  return found;
}

/** The last place that both histories share; undefined when they have nothing in common. */
export async function commonAncestor(
  log: EventLog,
  a: StreamInfo,
  b: StreamInfo,
): Promise<{ readonly session: StreamId; readonly seq: number } | undefined> {
  const [ofA, ofB] = [await stretches(log, a), await stretches(log, b)];
  for (const { id, upTo } of ofA) {
    const other = ofB.find((one) => one.id === id);
    if (other !== undefined) return { session: id, seq: Math.min(upTo, other.upTo) };
  }
  return undefined;
}
