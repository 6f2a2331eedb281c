import type { HealthyRow } from "@fairlead/contract";
import { expect, test } from "vitest";
import { blocksOf } from "../src/lib/blocks.ts";
import { arranged } from "../src/sessions/arrange.ts";
import { isFiltered, searchOf, wantedOf } from "../src/sessions/wanted.ts";

function row(id: string, part: Partial<HealthyRow> = {}): HealthyRow {
  return {
    session_id: id as HealthyRow["session_id"],
    kind: "chat",
    status: "idle",
    title: id,
    project: null,
    owner: "user",
    created_by: "ada",
    turn_id: null,
    head_seq: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    state: null,
    health: { session_id: id, score: 100, flags: [] },
    ...part,
  };
}

const shown = (rows: readonly HealthyRow[]) =>
  arranged(rows).map(({ row: { session_id }, depth }) => `${">".repeat(depth)}${session_id}`);

test("branches stand below what they were branched from", () => {
  const rows = [
    row("c", { parent_session_id: "a" }),
    row("b"),
    row("a"),
    row("d", { parent_session_id: "c" }),
  ];
  expect(shown(rows)).toEqual(["b", "a", ">c", ">>d"]);
});

test("a branch whose parent is not listed, or is itself, is not lost", () => {
  expect(shown([row("x", { parent_session_id: "gone" }), row("y", { parent_session_id: "y" })])).toHaveLength(
    2,
  );
});

test("the order is the server's", () => {
  expect(shown([row("z"), row("a"), row("m")])).toEqual(["z", "a", "m"]);
});

test("an address asks for what there is, and says nothing of what is so by itself", () => {
  const wanted = wantedOf(
    new URLSearchParams("search=log%20in&status=failed&kind=rocket&needs=me&sort=colour"),
  );
  expect(wanted).toEqual({
    search: "log in",
    status: "failed",
    kind: "",
    engine: "",
    needs: "me",
    sort: "updated",
  });
  expect(searchOf(wanted)).toBe("?search=log+in&status=failed&needs=me");
  expect(wantedOf(new URLSearchParams(searchOf(wanted)))).toEqual(wanted);
  expect(searchOf(wantedOf(new URLSearchParams()))).toBe("");
  expect([isFiltered(wanted), isFiltered(wantedOf(new URLSearchParams("sort=cost")))]).toEqual([true, false]);
});

test("a growing text is cut at blank lines, never within code, and nothing of it is lost", () => {
  const texts = (text: string) => blocksOf(text).map((block) => block.text);
  expect(texts("one\n\ntwo\nstill two\n\n```\na\n\nb\n```\n\nend")).toEqual([
    "one",
    "two\nstill two",
    "```\na\n\nb\n```",
    "end",
  ]);
  expect(texts("```\nopen\n\ncode")).toEqual(["```\nopen\n\ncode"]);
  expect(texts("")).toEqual([]);
});
