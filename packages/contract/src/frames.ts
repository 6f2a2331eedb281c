import type { Tier } from "./define.ts";
import type { BlobRef } from "./envelope.ts";
import type { EventData, EventType } from "./events.ts";
import type { EVENTS } from "./events.ts";
import type { FrontendName } from "./stream-events.ts";

export const FACE_NAMES = ["frontend", "runtime"] as const;
export type FaceName = (typeof FACE_NAMES)[number];

/** Parts that were too large for the log, by JSON Pointer into the frame's payload (or the frame itself, seed 003). */
export type FrameBlobs = Readonly<Record<string, BlobRef>>;

/** Seed 000's envelope, and beside it where in the log it stands. A name not in the catalogue is a newer writer's. */
export interface FrontendFrame<N extends string = string> {
  readonly type: N;
  readonly payload: N extends FrontendName ? FrontendPayload<N> : unknown;
  readonly id: string;
  readonly seq: number;
  readonly session_id: string;
  readonly at: string;
  readonly tier: Tier;
  readonly blobs?: FrameBlobs;
}

/** Seed 003's event, and beside it where in the log it stands. Its own fields are at the top level, in camel case. */
export interface RuntimeFrame {
  readonly type: string;
  /** The turn; outside of turns the event's own id. */
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly blobs?: FrameBlobs;
  readonly [field: string]: unknown;
}

/** The agent that events without one belong to, and the adapter of signals without one: the runtime's own loop. */
export const NATIVE_AGENT = "fairlead";

type TypesOf<N extends FrontendName> = {
  [T in EventType]: (typeof EVENTS)[T]["faces"]["frontend"] extends N ? T : never;
}[EventType];

type Question = "runtime.question.asked" | "runtime.question.decided";

type PayloadOf<T extends EventType> = T extends Question
  ? Omit<EventData<T>, "kind"> & Partial<Pick<EventData<T>, "kind">>
  : T extends "runtime.request.cancelled"
    ? EventData<"runtime.request.failed">
    : EventData<T>;

/** What a frame of this name carries: the event's data, but for the few that the face spells otherwise. */
export type FrontendPayload<N extends FrontendName> = PayloadOf<TypesOf<N>>;
