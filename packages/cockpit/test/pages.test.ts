import type { SessionRow } from "@fairlead/contract";
import { expect, test } from "vitest";
import { type Pages, withFirst, withNext } from "../src/sessions/pages.ts";

/** A session that changed last in this minute. */
const row = (id: string, minute: number): SessionRow =>
  ({ session_id: id, updated_at: `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z` }) as SessionRow;
const listed = ({ rows, cursor }: Pages) => [rows.map(({ session_id }) => session_id).join(""), cursor];

const first = withFirst(null, { rows: [row("d", 4), row("c", 3)], cursor: "after-c" });
const all = withNext(first, { rows: [row("b", 2), row("a", 1)], cursor: null });

test("the end is remembered when the first page is looked at again", () => {
  expect(listed(all)).toEqual(["dcba", null]);
  expect(listed(withFirst(all, { rows: [row("d", 4), row("c", 3)], cursor: "after-c" }))).toEqual([
    "dcba",
    null,
  ]);
});

test("one that moves up is listed once, and what it pushes off the first page stays", () => {
  const moved = withFirst(all, { rows: [row("a", 5), row("d", 4)], cursor: "after-d" });
  expect(listed(moved)).toEqual(["adcb", null]);
});

test("a page that brings what is known adds only the rest", () => {
  expect(listed(withNext(first, { rows: [row("c", 3), row("b", 2)], cursor: "after-b" }))).toEqual([
    "dcb",
    "after-b",
  ]);
});

test("one that is gone goes", () => {
  expect(listed(withFirst(all, { rows: [row("d", 4), row("b", 2)], cursor: "after-b" }))).toEqual([
    "dba",
    null,
  ]);
  expect(listed(withFirst(all, { rows: [row("d", 4)], cursor: null }))).toEqual(["d", null]);
});

test("when everything moved, what lies between is read again", () => {
  const moved = withFirst(all, { rows: [row("h", 9), row("g", 8)], cursor: "after-g" });
  expect(listed(moved)).toEqual(["hgdcba", "after-g"]);
});
