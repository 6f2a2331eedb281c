import { expect, test } from "vitest";
import { createFrontier } from "./frontier.ts";

test("goes as far as nothing is missing, in whatever order it is told", () => {
  const frontier = createFrontier();
  frontier.moveTo(10);
  frontier.add(14, 20);
  frontier.add(21, 21);
  expect(frontier.at).toBe(10);
  frontier.add(11, 13);
  expect(frontier.at).toBe(21);
  frontier.add(5, 9);
  expect(frontier.at).toBe(21);
});

test("takes a look at the table for everything up to there", () => {
  const frontier = createFrontier();
  frontier.add(3, 4);
  frontier.add(8, 9);
  frontier.add(6, 6);
  frontier.moveTo(7);
  expect(frontier.at).toBe(9);
});

test("forgets what waits for too long rather than growing", () => {
  const frontier = createFrontier();
  for (let i = 0; i < 30_000; i++) frontier.add(2 * i + 2, 2 * i + 2);
  frontier.add(1, 1);
  expect(frontier.at).toBeLessThan(60_000);
  frontier.moveTo(70_000);
  frontier.add(70_001, 70_002);
  expect(frontier.at).toBe(70_002);
});
