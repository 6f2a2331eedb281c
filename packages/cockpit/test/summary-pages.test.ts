import type { FrontendFrame } from "@fairlead/contract";
import { SUMMARY_EVENTS } from "@fairlead/contract/view";
import { expect, test } from "vitest";
import { MOST_PAGES, summaryFrames } from "../src/state/summary-pages.ts";

const PAGE = 10;
const frame = (seq: number, type: string): FrontendFrame => ({ seq, type }) as FrontendFrame;

/** A log that answers as the server does: back from a seq, and where the next page begins. */
function reader(log: readonly FrontendFrame[]) {
  const asked = new Set<string>();
  const read = async (before: number, types: readonly string[]) => {
    for (const type of types) asked.add(type);
    const fit = log.filter(({ seq, type }) => seq < before && types.includes(type));
    const frames = fit.slice(-PAGE);
    return { frames, next: fit.length > PAGE ? frames[0]!.seq : null };
  };
  return { read, asked };
}

test("what there is much of takes no room from what is rare: nothing is missing, in order", async () => {
  const often = Array.from({ length: 60 }, (_, n) => frame(n + 4, "usage"));
  const log = [frame(1, "tool_call"), frame(2, "tool_outcome"), frame(3, "effect_verdict"), ...often];
  const { read, asked } = reader(log);
  expect(await summaryFrames(63, read)).toEqual({ frames: log, whole: true });
  expect([...asked].toSorted()).toEqual([...SUMMARY_EVENTS].toSorted());
});

test("what came after the head is left to the stream", async () => {
  const { read } = reader([frame(1, "usage"), frame(2, "usage")]);
  expect((await summaryFrames(1, read)).frames.map(({ seq }) => seq)).toEqual([1]);
});

test("of what has no end the newest are read, and it says that some are missing", async () => {
  const log = Array.from({ length: PAGE * MOST_PAGES + 5 }, (_, n) => frame(n + 1, "usage"));
  const { read } = reader(log);
  const { frames, whole } = await summaryFrames(log.length, read);
  expect([frames.length, frames.at(-1)?.seq, whole]).toEqual([PAGE * MOST_PAGES, log.length, false]);
});

test("without the place where a branch began, nothing from before what is known is counted", async () => {
  const states = Array.from({ length: PAGE * MOST_PAGES + 5 }, (_, n) => frame(n + 10, "session_state"));
  const { read } = reader([frame(1, "usage"), ...states, frame(500, "usage")]);
  const { frames, whole } = await summaryFrames(500, read);
  expect(whole).toBe(false);
  expect(frames.filter(({ type }) => type === "usage").map(({ seq }) => seq)).toEqual([500]);
});
