import type { StreamId } from "@fairlead/contract";
import { type Actor, sees } from "../../domain/actor.ts";
import type { EventLog, Positioned, StreamInfo } from "../../ports/event-log.ts";

/** What of a stream says who may see it. Fixed when the stream is made, so it can be remembered. */
interface StreamFacts {
  /** Makes sure that `get` knows the streams of these items. */
  load(items: readonly Positioned[]): Promise<void> | undefined;
  get(stream: StreamId): StreamInfo | undefined;
}

export function createStreamFacts(log: EventLog, most = 10_000): StreamFacts {
  const known = new Map<StreamId, StreamInfo>();

  async function fetch(missing: ReadonlySet<StreamId>): Promise<void> {
    for (const id of missing) {
      const info = await log.stream(id);
      if (info === undefined) continue;
      if (known.size >= most) known.delete(known.keys().next().value!);
      known.set(id, info);
    }
  }

  return {
    load(items) {
      let missing: Set<StreamId> | undefined;
      for (const { event } of items) {
        if (!known.has(event.stream)) (missing ??= new Set()).add(event.stream);
      }
      return missing && fetch(missing);
    },
    get: (stream) => known.get(stream),
  };
}

/** Whether the feed of all streams shows this one: broadcasts to everyone, the runtime's own to no one. */
export function inFeed(actor: Actor, info: StreamInfo | undefined): boolean {
  if (info === undefined) return false;
  return info.broadcast || (info.owner === "user" && sees(actor, info));
}
