import { expect, test } from "vitest";
import { ROUTES } from "../src/index.ts";
import { PAGES } from "../src/pages.ts";

const segments = (path: string): readonly string[] => path.split("/").slice(1);

/** Whether some address fits both. */
function meet(a: string, b: string): boolean {
  const [left, right] = [segments(a), segments(b)];
  return (
    left.length === right.length &&
    left.every((part, i) => part === right[i] || part.startsWith("{") || right[i]?.startsWith("{") === true)
  );
}

test("no page hides a route, and no route a page", () => {
  for (const page of Object.values(PAGES))
    for (const { path } of Object.values(ROUTES))
      expect({ page, path, meet: meet(page, path) }).toMatchObject({ meet: false });
});

test("two pages never meet either", () => {
  const paths = Object.values(PAGES);
  for (const [i, page] of paths.entries())
    for (const other of paths.slice(i + 1))
      expect({ page, other, meet: meet(page, other) }).toMatchObject({ meet: false });
});
