import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createHostName } from "../../src/workspaces/host.ts";
import { temporary } from "./support.ts";

test("processes that share a directory have one name, and one alone leaves nothing else behind", () => {
  const dir = join(temporary(), "places");
  const [one, other] = [createHostName(dir), createHostName(dir)];
  expect(one.find()).toBeUndefined();
  const name = one.demand();
  expect(name).toMatch(/\S-[0-9a-f]{6}$/);
  expect([other.find(), other.demand(), one.demand()]).toEqual([name, name, name]);
  expect(readdirSync(dir)).toEqual(["host"]);
});

test("a file without a name in it, of a process that was killed there, names nobody", () => {
  const dir = temporary();
  writeFileSync(join(dir, "host"), "");
  const [one, other] = [createHostName(dir), createHostName(dir)];
  expect(one.find()).toBeUndefined();
  const name = other.demand();
  expect(name).not.toBe("");
  expect([one.find(), one.demand(), createHostName(dir).find()]).toEqual([name, name, name]);
  expect(readdirSync(dir)).toEqual(["host"]);
});
