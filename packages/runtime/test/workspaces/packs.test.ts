import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPacks } from "../../src/workspaces/copy/packs.ts";
import { temporary } from "./support.ts";

const bytes = (text: string) => Buffer.from(text);

test("what was put and flushed is had by others, each once, and few files are made of it", async () => {
  const dir = temporary();
  const first = openPacks(dir);
  const names = await Promise.all(["a", "", "bb", "a"].map((text) => first.put(bytes(text))));
  expect(readdirSync(dir)).toEqual([]);
  expect((await first.get(names[2] ?? ""))?.toString()).toBe("bb");
  first.flush();
  first.flush();
  expect(readdirSync(dir)).toHaveLength(2);
  const second = openPacks(dir);
  expect(await Promise.all(names.map(async (name) => (await second.get(name))?.toString()))).toEqual([
    "a",
    "",
    "bb",
    "a",
  ]);
  await second.put(bytes("a"));
  second.flush();
  expect(readdirSync(dir)).toHaveLength(2);
  expect([second.has("0".repeat(64)), await second.get("../x")]).toEqual([false, undefined]);
});

test("what was not finished, was lost or was changed is not had, and is in nobody's way", async () => {
  const dir = temporary();
  const packs = openPacks(dir);
  const lost = await packs.put(bytes("lost"));
  packs.flush();
  const pack = readdirSync(dir).find((name) => !name.includes(".")) ?? "";
  truncateSync(join(dir, pack), 1);
  writeFileSync(join(dir, "half"), "half");
  writeFileSync(join(dir, "half.new"), '{"x');
  writeFileSync(join(dir, "bad.json"), '{"x');
  expect(await openPacks(dir).get(lost)).toBeUndefined();
  writeFileSync(join(dir, pack), "LOST");
  expect(await openPacks(dir).get(lost)).toBeUndefined();
  rmSync(join(dir, pack));
  const again = openPacks(dir);
  expect(await again.get(lost)).toBeUndefined();
  const other = await again.put(bytes("other"));
  again.flush();
  expect((await openPacks(dir).get(other))?.toString()).toBe("other");
});

test("of many small ones there are few files, nothing is lost, and who reads meanwhile finds it", async () => {
  const dir = temporary();
  const names: string[] = [];
  const other = openPacks(dir);
  let early = other;
  for (let i = 0; i < 60; i++) {
    const packs = openPacks(dir);
    names.push(await packs.put(bytes(`look ${i}`)));
    packs.flush();
    if (i === 20) early = openPacks(dir);
  }
  expect(readdirSync(dir).length).toBeLessThan(60);
  for (const packs of [openPacks(dir), early, other])
    expect((await Promise.all(names.map((name) => packs.get(name)))).map(String)).toEqual(
      names.map((_, i) => `look ${i}`),
    );
});

test("one that was lost stays out of what becomes one", async () => {
  const dir = temporary();
  const first = openPacks(dir);
  const lost = await first.put(bytes("lost"));
  first.flush();
  truncateSync(join(dir, readdirSync(dir).find((name) => !name.includes(".")) ?? ""), 1);
  const names: string[] = [];
  for (let i = 0; i < 40; i++) {
    const packs = openPacks(dir);
    names.push(await packs.put(bytes(`look ${i}`)));
    packs.flush();
  }
  const after = openPacks(dir);
  expect(await after.get(lost)).toBeUndefined();
  expect((await Promise.all(names.map((name) => after.get(name)))).every((found) => found)).toBe(true);
});

test("of what is let go of nothing is left, and who read before finds the rest where it is now", async () => {
  const dir = temporary();
  const packs = openPacks(dir);
  const [a, b] = [await packs.put(bytes("a")), await packs.put(bytes("b"))];
  packs.flush();
  const c = await packs.put(bytes("c"));
  packs.flush();
  const reader = openPacks(dir);
  packs.keepOnly(new Set([b, c, "0".repeat(64)]));
  expect([packs.has(a), packs.bytesOf(a), packs.bytesOf(b)]).toEqual([false, 0, 1]);
  for (const one of [packs, reader, openPacks(dir)]) {
    expect(await Promise.all([a, b, c].map(async (name) => (await one.get(name))?.toString()))).toEqual([
      undefined,
      "b",
      "c",
    ]);
  }
  // One for each that has something, with its index.
  expect(readdirSync(dir)).toHaveLength(4);
  packs.keepOnly(new Set());
  expect(readdirSync(dir)).toEqual([]);
});
