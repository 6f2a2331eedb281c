import type { StreamId } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { inFeed } from "../domain/feed.ts";
import type { EventLog, Positioned, StreamInfo } from "../ports/event-log.ts";

/** An event of the feed of all streams, and whether one actor is shown it. */
export interface Seen extends Positioned {
  readonly visible: boolean;
}

/** What of a stream says who may see it. Fixed when the stream is made, so it can be remembered. */
export interface Visibility {
  /**
   * Says of each item whether the actor is shown it. What is forgotten is asked for again, so a short
   * memory costs time and never an event.
   */
  of(actor: Actor, items: readonly Positioned[]): Promise<readonly Seen[]>;
}

export function createVisibility(log: EventLog, most = 10_000): Visibility {
  const known = new Map<StreamId, StreamInfo>();

  async function infoOf(id: StreamId): Promise<StreamInfo | undefined> {
    const info = await log.stream(id);
    if (info === undefined) return undefined;
    if (known.size >= most) known.delete(known.keys().next().value!);
    known.set(id, info);
    return info;
  }

  return {
    async of(actor, items) {
      // Its own, because others fill the common memory, and so empty it, while we wait.
      const shown = new Map<StreamId, boolean>();
      for (const { event } of items) {
        if (shown.has(event.stream)) continue;
        shown.set(event.stream, inFeed(actor, known.get(event.stream) ?? (await infoOf(event.stream))));
      }
      return items.map(({ pos, event }) => ({ pos, event, visible: shown.get(event.stream) ?? false }));
    },
  };
}
