import { expect, test, vi } from "vitest";
import { onInterrupt } from "../src/interrupt.ts";

test("the first signal asks, its echo is ignored, and the next one ends it", () => {
  let now = 1_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const exits: number[] = [];
  const { signal, release } = onInterrupt((code) => exits.push(code));
  try {
    process.emit("SIGINT");
    expect(signal.aborted).toBe(true);
    now += 20;
    process.emit("SIGINT");
    expect(exits).toEqual([]);
    now += 2_000;
    process.emit("SIGINT");
    process.emit("SIGTERM");
    process.emit("SIGHUP");
    expect(exits).toEqual([130, 143, 129]);
  } finally {
    release();
    clock.mockRestore();
  }
  expect(process.listenerCount("SIGINT")).toBe(0);
});
