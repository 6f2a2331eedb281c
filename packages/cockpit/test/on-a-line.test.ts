import { expect, test } from "vitest";
import { onALine } from "../src/lib/on-a-line.ts";

test("what has parts is counted, and never written as a program would", () => {
  expect([{ a: 1 }, [1, 2], [], null, 3, "text", false].map(onALine)).toEqual([
    "1 part",
    "2 parts",
    "0 parts",
    "null",
    "3",
    "text",
    "false",
  ]);
});
