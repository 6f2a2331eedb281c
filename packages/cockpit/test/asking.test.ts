import { ServerError } from "@fairlead/client";
import { expect, test } from "vitest";
import { asking } from "../src/lib/asking.ts";

const refusal = (status: number) =>
  new ServerError(status, { code: "internal_error", message: "No.", hint: "", details: {} } as never);

/** A server whose answers are given by hand. */
function slow(options = { pauseMs: 0, awayMs: 0 }) {
  const asked: { answer: (value: string) => void; refuse: (error: unknown) => void; signal: AbortSignal }[] =
    [];
  const found: string[] = [];
  const failed: unknown[] = [];
  const own = asking<string>(
    (signal) =>
      new Promise((resolve, reject) => void asked.push({ answer: resolve, refuse: reject, signal })),
    { asks: () => {}, found: (value) => found.push(value), failed: (error) => failed.push(error) },
    options,
  );
  const times = async (count: number): Promise<void> => {
    await expect.poll(() => asked.length).toBe(count);
  };
  return { ...own, asked, found, failed, times };
}

test("an answer is taken though much has moved since it was asked for, and then it is asked once more", async () => {
  const { look, stop, asked, found, times } = slow();
  look();
  await times(1);
  for (let moved = 0; moved < 20; moved++) look();
  asked[0]!.answer("first");
  await times(2);
  expect(found).toEqual(["first"]);
  asked[1]!.answer("second");
  await expect.poll(() => found).toEqual(["first", "second"]);
  expect(asked).toHaveLength(2);
  stop();
});

test("however often it moves, the same is not asked again at once; a person who asks is heard now", async () => {
  const { look, stop, asked, found, times } = slow({ pauseMs: 3_600_000, awayMs: 0 });
  look();
  await times(1);
  look();
  asked[0]!.answer("first");
  await expect.poll(() => found).toEqual(["first"]);
  expect(asked).toHaveLength(1);
  look(true);
  await times(2);
  look(true);
  asked[1]!.answer("second");
  await times(3);
  stop();
});

test.each([new TypeError("no network"), refusal(503), refusal(429)])(
  "what passes by itself is asked again by itself: %s",
  async (error) => {
    const { look, stop, asked, found, failed, times } = slow();
    look();
    await times(1);
    asked[0]!.refuse(error);
    await times(2);
    expect(failed).toEqual([error]);
    asked[1]!.answer("back");
    await expect.poll(() => found).toEqual(["back"]);
    stop();
  },
);

test("what was refused for good is asked again only when something moved", async () => {
  const { look, stop, asked, failed, times } = slow();
  look();
  await times(1);
  asked[0]!.refuse(refusal(404));
  await expect.poll(() => failed.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toHaveLength(1);
  look();
  await times(2);
  stop();
});

test("nobody wants it any more: what is under way is called off, and not told", async () => {
  const { look, stop, asked, found, failed, times } = slow();
  look();
  await times(1);
  look();
  stop();
  expect(asked[0]!.signal.aborted).toBe(true);
  asked[0]!.answer("late");
  await new Promise((resolve) => setTimeout(resolve));
  look(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect([asked.length, found, failed]).toEqual([1, [], []]);
});
