import type { AnyEvent, EventData, EventType, FrontendFrame, Tier } from "@fairlead/contract";
import { EVENT_TYPES, EVENTS } from "@fairlead/contract";
import { movedBlobs } from "./blobs.ts";

/** How an event looks on the face. Made once for each type, so that a frame costs one lookup. */
interface Plan {
  readonly name: string | null;
  readonly tier: Tier;
  /** Absent: the payload is the data itself. */
  readonly reshape?: Reshape;
}

interface Reshape {
  payload(data: object): object;
  key(key: string): string;
}

/** Seed 000's names say that the question is an approval; other kinds are said. */
const kindOnlyIfSpecial: Reshape = {
  payload(data) {
    const { kind, ...rest } = data as EventData<"runtime.question.asked">;
    return kind === "approval" ? rest : data;
  },
  key: (key) => key,
};

/** Seed 000 has one name for both bad ends of a turn, with the shape of a failure. */
const cancelledAsError: Reshape = {
  payload(data) {
    const { turn_id, reason } = data as EventData<"runtime.request.cancelled">;
    return { turn_id, error: reason ?? "The turn was cancelled.", code: "cancelled" };
  },
  key: (key) => (key === "reason" ? "error" : key),
};

const RESHAPES: Partial<Record<EventType, Reshape>> = {
  "runtime.question.asked": kindOnlyIfSpecial,
  "runtime.question.decided": kindOnlyIfSpecial,
  "runtime.request.cancelled": cancelledAsError,
};

const PLANS: ReadonlyMap<string, Plan> = new Map(
  EVENT_TYPES.map((type) => {
    const { faces, tier } = EVENTS[type];
    return [type, { name: faces.frontend, tier, reshape: RESHAPES[type] }];
  }),
);

/**
 * Seed 000's face. Null when the catalogue says that it has no name for the event; a type that this
 * program does not know is carried raw under its own name.
 */
export function frontendFrame(event: AnyEvent): FrontendFrame | null {
  const plan = PLANS.get(event.type);
  const name = plan === undefined ? event.type : plan.name;
  if (name === null) return null;
  const { data, blobs } = event;
  const reshape = typeof data === "object" && data !== null ? plan?.reshape : undefined;
  const frame = {
    type: name,
    payload: reshape === undefined ? data : reshape.payload(data as object),
    id: event.id,
    seq: event.seq,
    session_id: event.stream,
    at: event.at,
    tier: plan === undefined ? "debug" : plan.tier,
  } as const;
  if (blobs === undefined) return frame;
  return { ...frame, blobs: reshape === undefined ? blobs : movedBlobs(blobs, "", reshape.key) };
}
