import { expect, test } from "vitest";
import { tickedParts } from "../src/lib/ticked.ts";

test.each([
  ["The command `npm test` succeeds", ["The command ", "npm test", " succeeds"]],
  ["No tick", ["No tick"]],
  ["One ` alone", ["One ` alone"]],
  ["``", ["``"]],
])("what stands between ticks is code: %s", (text, parts) => {
  expect(tickedParts(text)).toEqual(parts);
});
