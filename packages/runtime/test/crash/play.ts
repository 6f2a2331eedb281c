import { once } from "node:events";
import { expect } from "vitest";
import { startChild } from "./child.ts";
import type { Place } from "./killing.ts";

/** Has a child that ends as killing.ts says play in these places; what it says of each. `script`: as beside this file. */
export async function playIn(
  script: string,
  places: readonly Place[],
  when = "",
  ...more: readonly string[]
): Promise<readonly unknown[]> {
  const child = startChild(script, [JSON.stringify(places), when, ...more]);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  const ends = JSON.parse(said) as unknown[];
  expect(signal).toBe(ends.includes("reached") ? "SIGKILL" : null);
  return ends;
}
