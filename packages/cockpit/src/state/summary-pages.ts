import type { FrontendFrame } from "@fairlead/contract";
import { SUMMARY_EVENTS } from "@fairlead/contract/view";

/** What there is of these types before a seq, in order, and where the one before begins; null: that was all. */
export type ReadBack = (
  before: number,
  types: readonly string[],
) => Promise<{ readonly frames: readonly FrontendFrame[]; readonly next: number | null }>;

export interface Read {
  /** In order. */
  readonly frames: readonly FrontendFrame[];
  /** Nothing is missing. */
  readonly whole: boolean;
}

/** Of each kind so many pages are read at most: a session can be of any length. */
export const MOST_PAGES = 10;

/** What there is much of is read by itself: it takes no room from what is rare. */
const OFTEN: readonly (readonly string[])[] = [
  ["usage"],
  ["tool_call", "tool_outcome", "approval_required", "approval_applied"],
];
const RARE = SUMMARY_EVENTS.filter((name) => !OFTEN.some((names) => names.includes(name)));

/** All that the summary is made of up to `head`, or as much of each kind as is read. */
export async function summaryFrames(head: number, read: ReadBack): Promise<Read> {
  const [rare, ...often] = await Promise.all([RARE, ...OFTEN].map((types) => kind(head, types, read)));
  // Where a branch begins is among the rare: what is from before that cannot be told apart without it.
  const kept = often.flatMap(({ frames }) => frames.filter(({ seq }) => seq > rare!.low));
  return {
    frames: [...rare!.frames, ...kept].toSorted((a, b) => a.seq - b.seq),
    whole: [rare!, ...often].every(({ low }) => low === 0),
  };
}

/** Those of these types after `low`. */
async function kind(head: number, types: readonly string[], read: ReadBack) {
  const pages: (readonly FrontendFrame[])[] = [];
  let before: number | null = head + 1;
  for (let page = 0; page < MOST_PAGES && before !== null; page++) {
    const { frames, next }: Awaited<ReturnType<ReadBack>> = await read(before, types);
    pages.push(frames);
    before = next;
  }
  return { frames: pages.toReversed().flat(), low: before === null ? 0 : before - 1 };
}
