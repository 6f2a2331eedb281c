import { expect, test } from "vitest";
import { onlyReads } from "./only-reads.ts";

const shell = (command: unknown) => onlyReads({ name: "shell", arguments: { command } });

test.each([
  "cat a.txt",
  "ls -la && head -n 3 a.txt | grep one",
  "cd src; cat 'a b.txt' 2>/dev/null || true",
  "echo $(wc -l a.txt)",
])("is known to read: %s", (command) => {
  expect(shell(command)).toBe(true);
});

test.each([
  "echo 1 > a.txt",
  "cat a.txt >> b.txt",
  "cat a.txt | tee b.txt",
  "cat a.txt && rm a.txt",
  "echo $(rm a.txt)",
  "cat <(touch b)",
  "./cat a.txt",
  "bin/ls",
  "PATH=bin cat a.txt",
  "PATH=bin; cat a.txt",
  "cat() { rm a.txt; }; cat",
  "alias cat=rm; cat a.txt",
  "sort -o a.txt a.txt",
  "find . -delete",
  "git status",
  "$x a.txt",
  "eval cat a.txt",
  "sh -c 'touch b'",
  "cat 'a",
  "",
])("is not: %s", (command) => {
  expect(shell(command)).toBe(false);
});

test("only a shell's command is read", () => {
  expect([shell(["cat"]), shell(undefined)]).toEqual([false, false]);
  expect(onlyReads({ name: "write_file", arguments: { command: "cat a.txt" } })).toBe(false);
});
