import type {
  AnyEvent,
  EventId,
  HealthSnapshot,
  SessionRow,
  StoredEvent,
  StreamId,
} from "@fairlead/contract";
import { noEarlier } from "../../domain/health/forward.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { View } from "./view.ts";

/** Snapshots are made for who reads, and have the cursor of what they were made after. */
export const HEALTH_VIEW: View<AnyEvent> = {
  face: "frontend",
  event: (event) => event,
  id: (event) => event.seq,
  shows: () => true,
  contiguous: false,
};

/** Pieces of an answer come by the dozen, and no session fares better or worse for one. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["agent.output.delta", "agent.thinking.delta"]);

export interface HealthFeedDeps {
  readonly log: EventLog;
  readonly stream: StreamId;
  /** The row as it is now. */
  readonly row: () => Promise<SessionRow>;
  readonly healthOf: (row: SessionRow) => Promise<HealthSnapshot>;
}

/** How it fares now, and again whenever that is something else. */
export async function* followHealth(
  { log, stream, row, healthOf }: HealthFeedDeps,
  signal: AbortSignal,
): AsyncGenerator<readonly AnyEvent[]> {
  let said = "";
  let last: HealthSnapshot | undefined;
  async function changed(): Promise<readonly AnyEvent[]> {
    const now = await row();
    const health = noEarlier(last, await healthOf(now));
    last = health;
    const text = JSON.stringify(health);
    if (text === said) return [];
    said = text;
    return [snapshotEvent(stream, now, health)];
  }
  const first = await changed();
  yield first;
  for await (const batch of log.subscribe(stream, { after: first[0]?.seq ?? 0, signal })) {
    if (batch.every(({ type }) => SAYS_NOTHING.has(type))) continue;
    const next = await changed();
    if (next.length > 0) yield next;
  }
}

function snapshotEvent(
  stream: StreamId,
  { head_seq, updated_at }: SessionRow,
  data: HealthSnapshot,
): StoredEvent<"runtime.health.snapshot"> {
  return {
    id: `evt_health${head_seq}` as EventId,
    seq: head_seq,
    stream,
    at: updated_at,
    type: "runtime.health.snapshot",
    v: 1,
    turn_id: null,
    agent_id: null,
    cause: null,
    owner: "view",
    data,
  };
}
