import { expect, test } from "vitest";
import { oneAtATime } from "../src/state/one-at-a-time.ts";

test("what is asked for during the work is done once after it, never beside it", async () => {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const look = oneAtATime(async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  });
  const first = look();
  await Promise.all([look(), look(), look()]);
  expect(ends).toHaveLength(1);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await first;
  expect([most, ends.length]).toEqual([1, 2]);
  const next = look();
  ends[2]!();
  await next;
  expect(ends).toHaveLength(3);
});
