import type { FrontendFrame } from "../frames.ts";
import { BESIDE } from "./beside.ts";
import { type Draft, emptyDraft, type Handlers, raw } from "./draft.ts";
import type { Entry } from "./entries.ts";
import { OUTPUT } from "./output.ts";
import { PROGRESS } from "./progress.ts";
import { QUESTIONS } from "./questions.ts";
import { STATES } from "./states.ts";
import { TOOLS } from "./tools.ts";
import { TURNS } from "./turns.ts";

/** What each event does to the timeline, every one that a stream can carry. */
export const TIMELINE: Handlers = {
  ...TURNS,
  ...STATES,
  ...PROGRESS,
  ...OUTPUT,
  ...TOOLS,
  ...QUESTIONS,
  ...BESIDE,
};

/** A timeline that grows. The same frames in the same order give the same rows. */
export interface Timeline {
  /** Adds what comes after all that was added. Returns the rows, a new list each time. */
  push(frames: readonly FrontendFrame[]): readonly Entry[];
}

export function createTimeline(): Timeline {
  const draft = emptyDraft();
  return {
    push(frames) {
      for (const frame of frames) apply(draft, frame);
      return draft.entries.slice();
    },
  };
}

/** The rows that these frames make: any window of a session, in the order of the session. */
export function timelineOf(frames: readonly FrontendFrame[]): readonly Entry[] {
  return createTimeline().push(frames);
}

function apply(draft: Draft, frame: FrontendFrame): void {
  const known = Object.hasOwn(TIMELINE, frame.type);
  const handle = known ? TIMELINE[frame.type as keyof Handlers] : raw;
  try {
    (handle as (draft: Draft, payload: unknown, frame: FrontendFrame) => void)(draft, frame.payload, frame);
  } catch {
    // A newer writer's payload may lack what we look for: shown raw, never dropped.
    raw(draft, frame.payload, frame);
  }
}
