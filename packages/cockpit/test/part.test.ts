import { expect, test } from "vitest";
import { reloadsIn } from "../src/lib/part.ts";

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("a part is reloaded for once, until it was loaded", () => {
  const kept = storage();
  const reloads = reloadsIn(() => kept);
  expect(reloads.claim("inbox")).toBe(true);
  expect(reloads.claim("inbox")).toBe(false);
  expect(reloads.claim("session")).toBe(true);
  reloads.over("session");
  expect(reloads.claim("inbox")).toBe(false);
  reloads.over("inbox");
  expect(reloads.claim("inbox")).toBe(true);
});

test("where nothing can be remembered, the page does not reload itself", () => {
  const reloads = reloadsIn(() => {
    throw new Error("denied");
  });
  expect(reloads.claim("inbox")).toBe(false);
  expect(() => reloads.over("inbox")).not.toThrow();
});
