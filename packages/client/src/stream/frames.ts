import type { FaceName, FrontendFrame, RuntimeFrame } from "@fairlead/contract";
import type { Item } from "./machine.ts";

export interface FaceFrames {
  frontend: FrontendFrame;
  runtime: RuntimeFrame;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The first number that a `gap` says is gone; undefined for any other frame. Each face has its own spelling. */
function gapStart(frame: FrontendFrame | RuntimeFrame): number | undefined {
  const { type, payload, fromSeq } = frame as Partial<RuntimeFrame>;
  if (type === "runtime.log.gap") return isCount(fromSeq) ? fromSeq : undefined;
  if (type !== "gap" || typeof payload !== "object" || payload === null) return undefined;
  const { from_seq } = payload as { from_seq?: unknown };
  return isCount(from_seq) ? from_seq : undefined;
}

function item<N extends FaceName>(at: number | null, frame: FaceFrames[N]): Item<FaceFrames[N]> {
  const from = gapStart(frame);
  return from === undefined ? { at, frame } : { at, from, frame };
}

/** A frame as a stream sends it. Throws when it is none: then the connection cannot be trusted. */
export function itemOfEvent<N extends FaceName>(id: string | undefined, data: string): Item<FaceFrames[N]> {
  const frame: unknown = JSON.parse(data);
  if (typeof frame !== "object" || frame === null || typeof (frame as { type?: unknown }).type !== "string") {
    throw new TypeError("A frame without a type.");
  }
  if (id !== undefined && !/^\d{1,16}$/.test(id)) throw new TypeError("An id that is no cursor.");
  return item<N>(id === undefined ? null : Number(id), frame as FaceFrames[N]);
}

/** A frame of a page. Pages are of one session, where the cursor is the seq. */
export function itemOfPage<N extends FaceName>(frame: { readonly type: string }): Item<FaceFrames[N]> {
  const { seq } = frame as Partial<FrontendFrame>;
  return item<N>(isCount(seq) ? seq : null, frame as FaceFrames[N]);
}
