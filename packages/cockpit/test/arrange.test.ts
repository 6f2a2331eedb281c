import type { SessionRow } from "@fairlead/contract";
import { expect, test } from "vitest";
import { blocksOf } from "../src/lib/blocks.ts";
import { arranged } from "../src/sessions/arrange.ts";

function row(id: string, part: Partial<SessionRow> = {}): SessionRow {
  return {
    session_id: id as SessionRow["session_id"],
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
    ...part,
  };
}

const ALL = { search: "", status: "", kind: "", sort: "title" } as const;
const shown = (rows: readonly SessionRow[], wanted: Parameters<typeof arranged>[1] = ALL) =>
  arranged(rows, wanted).map(({ row: { session_id }, depth }) => `${">".repeat(depth)}${session_id}`);

test("branches stand below what they were branched from", () => {
  const rows = [
    row("c", { parent_session_id: "a" }),
    row("b"),
    row("a"),
    row("d", { parent_session_id: "c" }),
  ];
  expect(shown(rows)).toEqual(["a", ">c", ">>d", "b"]);
});

test("a branch whose parent is not listed, or is itself, is not lost", () => {
  expect(shown([row("x", { parent_session_id: "gone" }), row("y", { parent_session_id: "y" })])).toHaveLength(
    2,
  );
});

test("words are looked for in title, id, alias, model and person, all of them, in any case", () => {
  const rows = [row("one", { aliases: ["Nightly"] }), row("two", { created_by: "bob" }), row("three")];
  expect(shown(rows, { ...ALL, search: "NIGHT one" })).toEqual(["one"]);
  expect(shown(rows, { ...ALL, search: "bob" })).toEqual(["two"]);
  expect(shown(rows, { ...ALL, search: "nobody" })).toEqual([]);
});

test("filters hold together", () => {
  const rows = [row("a", { status: "failed" }), row("b", { status: "failed", kind: "background" }), row("c")];
  expect(shown(rows, { ...ALL, status: "failed", kind: "background" })).toEqual(["b"]);
});

test("a growing text is cut at blank lines, never within code, and nothing of it is lost", () => {
  expect(blocksOf("one\n\ntwo\nstill two\n\n```\na\n\nb\n```\n\nend")).toEqual([
    "one",
    "two\nstill two",
    "```\na\n\nb\n```",
    "end",
  ]);
  expect(blocksOf("```\nopen\n\ncode")).toEqual(["```\nopen\n\ncode"]);
  expect(blocksOf("")).toEqual([""]);
});
