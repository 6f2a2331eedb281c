import type { Entry } from "@fairlead/contract/view";
import { expect, test } from "vitest";
import { announce, type Heard } from "../src/timeline/announce.ts";

const AT = { tier: "default", at: "2026-01-01T00:00:00.000Z" };
function text(key: string, value: string, seq: number, open: boolean): Entry {
  return {
    ...AT,
    key,
    kind: "text",
    text: value,
    sources: [seq],
    open,
    superseded: null,
  } as unknown as Entry;
}
const tool = (key: string, seq: number): Entry =>
  ({
    ...AT,
    key,
    kind: "tool",
    name: "shell",
    state: "done",
    elapsed: 5,
    sources: [seq],
  }) as unknown as Entry;

const after = (entries: readonly Entry[], high: number): Heard => announce(entries, high, null).heard;

test("what is there when the page opens is not told", () => {
  expect(announce([text("a", "Old. Text.", 1, false), tool("t", 2)], 2, null).words).toEqual([]);
});

test("a long answer is told by sentences as it streams, each once, and its end when it is whole", () => {
  const long = "word ".repeat(200);
  const told: string[] = [];
  let heard = after([], 0);
  for (const [seq, value, open] of [
    [1, "First one. Then", true],
    [2, "First one. Then a second! And", true],
    [3, `First one. Then a second! And ${long}`, true],
    [4, `First one. Then a second! And ${long}the end`, false],
    [5, `First one. Then a second! And ${long}the end`, false],
  ] as const) {
    const news = announce([text("a", value, open ? 1 : 4, open)], seq, heard);
    heard = news.heard;
    told.push(...news.words);
  }
  expect(told.slice(0, 2)).toEqual(["First one.", "Then a second!"]);
  expect(told.join(" ").replaceAll(/\s+/g, " ")).toBe(`First one. Then a second! And ${long}the end`);
});

test("older rows that are scrolled to are no news", () => {
  const heard = after([tool("t", 9)], 9);
  const news = announce([text("old", "From before.", 2, false), tool("t", 9)], 9, heard);
  expect(news.words).toEqual([]);
  expect(announce([text("old", "From before.", 2, false), tool("u", 10)], 10, news.heard).words).toEqual([
    "shell: done.",
  ]);
});

test("of many rows at once the last few are told, and the text whole", () => {
  const many = [1, 2, 3, 4, 5].map((seq) => tool(`t${seq}`, seq));
  const { words } = announce([...many, text("a", "All done.", 6, false)], 6, after([], 0));
  expect(words).toEqual(["All done.", "shell: done.", "shell: done.", "shell: done."]);
});

test("a row that grows is told once, and again only when it says something else", () => {
  const grown = { ...tool("t", 3), sources: [3, 4] } as Entry;
  const first = announce([tool("t", 3)], 3, after([], 0));
  expect(first.words).toEqual(["shell: done."]);
  const second = announce([grown], 4, first.heard);
  expect(second.words).toEqual([]);
  const failed = { ...grown, state: "error", sources: [3, 4, 5] } as Entry;
  expect(announce([failed], 5, second.heard).words).toEqual(["shell: error."]);
});

test("a failure is told with what can be done about it", () => {
  const failure = {
    ...AT,
    key: "f",
    kind: "notice",
    notice: "error",
    title: "It failed.",
    next: "Try again.",
  };
  const { words } = announce([{ ...failure, sources: [2] } as unknown as Entry], 2, after([], 0));
  expect(words).toEqual(["It failed. Try again."]);
});

test("a text of more lines than a call can take is told all the same", () => {
  const lines = "\n".repeat(300_000);
  const heard = after([text("a", "Now", 1, true)], 1);
  const { words } = announce([text("a", `Now${lines}end`, 1, true)], 1, heard);
  expect(words).toEqual([]);
  expect(
    announce([text("a", `Now${lines}end. More`, 1, true)], 1, heard)
      .words.join("")
      .trim(),
  ).toBe("end.");
});
