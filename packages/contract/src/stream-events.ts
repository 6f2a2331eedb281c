import type { Tier } from "./define.ts";
import type { EventType } from "./events.ts";
import { EVENT_TYPES, EVENTS } from "./events.ts";

/** Every `type` that the frontend face can send. A UI's map from it to renderers is total, or does not compile. */
export type FrontendName = Exclude<(typeof EVENTS)[EventType]["faces"]["frontend"], null>;

/** One line of `GET /stream-events`. */
export interface StreamEvent {
  readonly name: FrontendName;
  /** The events of the log that appear under this name. */
  readonly types: readonly EventType[];
  readonly tier: Tier;
  /** False: sent to one reader, without a seq of its own. */
  readonly persisted: boolean;
  readonly doc: string;
}

/** What the frontend face emits, so what a frontend must handle (seed 000: the two sets are one). */
export function streamEvents(): readonly StreamEvent[] {
  const byName = new Map<FrontendName, StreamEvent>();
  for (const type of EVENT_TYPES) {
    const { faces, tier, persisted, doc } = EVENTS[type];
    if (faces.frontend === null) continue;
    const known = byName.get(faces.frontend);
    byName.set(
      faces.frontend,
      known === undefined
        ? { name: faces.frontend, types: [type], tier, persisted, doc }
        : { ...known, types: [...known.types, type], doc: `${known.doc} ${doc}` },
    );
  }
  return [...byName.values()];
}
