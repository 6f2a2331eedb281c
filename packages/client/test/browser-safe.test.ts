import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";

const SOURCE = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const PACKAGES: Record<string, string> = {
  "@fairlead/contract": fileURLToPath(import.meta.resolve("@fairlead/contract")),
  "@fairlead/ahp": fileURLToPath(new URL("../../ahp/src/index.ts", import.meta.url)),
};

/** Every module of ours that loading the root loads too, with what it imports from elsewhere. */
function reachable(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const foreign: string[] = [];
  seen.set(file, foreign);
  for (const [, keyword, from] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s(type\s)?(?:[^;]*?\sfrom\s)?"([^"]+)"/gm,
  )) {
    if (keyword !== undefined) continue;
    const next = from!.startsWith(".") ? join(dirname(file), from!) : PACKAGES[from!];
    if (next !== undefined && existsSync(next)) reachable(next, seen);
    else foreign.push(from!);
  }
  return seen;
}

test("nothing that the root loads is for Node only", () => {
  const modules = reachable(SOURCE);
  expect(modules.size).toBeGreaterThan(20);
  const foreign = new Set([...modules.values()].flat());
  expect([...foreign].filter((name) => name !== "zod" && name !== "eventsource-parser")).toEqual([]);
  const own = [...modules.keys()]
    .filter((file) => file.includes("/client/"))
    .map((file) => readFileSync(file, "utf8"));
  expect(own.filter((text) => /\b(process|Buffer|require)\b[.(]/.test(text))).toEqual([]);
});

test("the surface is what it is on purpose", () => {
  expect(Object.keys(root).toSorted()).toEqual([
    "ServerError",
    "ServerUnreachable",
    "createClient",
    "isFinal",
  ]);
});
