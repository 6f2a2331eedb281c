import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesPattern, parsePattern } from "./pattern.ts";
import { plainWords } from "./plain-command.ts";
import type { Asked } from "./types.ts";

const shell = (command: unknown, more: object = {}): Asked => ({
  name: "shell",
  kind: "shell",
  arguments: { command, ...more },
});

function fits(text: string, asked: Asked): boolean {
  const read = parsePattern(text);
  if (!read.ok) throw new Error(read.error);
  return matchesPattern(read.pattern, asked);
}

describe("shell: git status*", () => {
  it.each([
    "git status",
    " git  status ",
    "git status\n",
    "git status -sb",
    "git status --short src lib",
    "git 'status' \"-s\"",
    "git status 'a; b'",
    "git status *.ts",
    "git status -- naïve.txt",
    "git statusx",
  ])("allows %j", (command) => {
    expect(fits("shell: git status*", shell(command))).toBe(true);
  });

  it.each([
    "git status; rm -rf x",
    "git status;",
    "git status && rm -rf x",
    "git status || rm x",
    "git status | sh",
    "git status |& sh",
    "git status & rm x",
    "git status &",
    "git status\nrm x",
    "git status \\\n; rm x",
    "git status\rrm x",
    "git status\u0000",
    "git status $(rm x)",
    "git status `rm x`",
    'git status "$(rm x)"',
    'git status "`rm x`"',
    "git status $X",
    "git status ${X:=y}",
    'git status "$X"',
    "git status $'a'",
    "git status > f",
    "git status >f",
    "git status > 1",
    "git status 2>&1",
    "git status >> f",
    "git status < f",
    "git status <(rm x)",
    "git status >(sh)",
    "git status << E\nx\nE",
    "git status <<< x",
    "(git status)",
    "{ git status; }",
    "! git status",
    "time git status",
    "coproc git status",
    "if git status",
    "X=1 git status",
    "PATH=/tmp git status",
    "git status # rm",
    "git status {a,b}",
    "git \\status",
    "git status \\; rm x",
    "git status '",
    'git status "',
    "git status 'a' ; rm 'b'",
    "git status '\\' ; rm x '",
    "git status !!",
    "git stat*",
    "git s[t]atus",
    "git -c alias.status='!rm x' status",
    "/tmp/git status",
    "./git status",
    "sudo git status",
    "env git status",
    "git",
    "gitstatus",
    "status",
    "",
    "\u00a0git status",
    "git\u00a0status",
    "git\u2028status",
    "\ufeffgit status",
  ])("does not allow %j", (command) => {
    expect(fits("shell: git status*", shell(command))).toBe(false);
  });

  it("sees nothing but a command: other arguments could change what it does", () => {
    expect(fits("shell: git status*", shell("git status", { timeout_ms: 5, cwd: "." }))).toBe(true);
    expect(fits("shell: git status*", shell("git status", { cwd: "elsewhere" }))).toBe(false);
    expect(fits("shell: git status*", shell("git status", { env: { GIT_PAGER: "rm" } }))).toBe(false);
    expect(fits("shell: git status*", shell(["git", "status"]))).toBe(false);
    expect(fits("shell: git status*", shell(undefined))).toBe(false);
    expect(fits("shell: git status*", { ...shell("git status"), name: "shell2" })).toBe(false);
    expect(fits("shell: git status*", shell(`git status ${"x".repeat(20_000)}`))).toBe(false);
  });
});

describe("words of a command", () => {
  it.each([
    ["shell: npm test", "npm test", true],
    ["shell: npm test", "npm test --watch", false],
    ["shell: git *", "git log", true],
    ["shell: git *", "git log -1 --all", true],
    ["shell: git *", "git", false],
    ["shell: git *", "gitk x", false],
    ["shell: *", "anything at all", true],
    ["shell: *", "a; b", false],
    ["shell", "anything at all", true],
    ["shell", "a; b", false],
    ["shell: echo 'a b'", 'echo "a b"', true],
    ["shell: echo 'a b'", "echo a b", false],
    ["shell: echo '*'", "echo '*'", true],
    ["shell: echo '*'", "echo *", false],
    ["shell: rm 'a'", "rm a*", false],
  ] as const)("%s on %j: %s", (text, command, allowed) => {
    expect(fits(text, shell(command))).toBe(allowed);
  });

  it("are never read from a text with a sign that a shell acts on outside quotes", () => {
    const piece = fc.constantFrom(
      "git",
      " ",
      "status",
      ";",
      "&",
      "|",
      ">",
      "<",
      "$",
      "`",
      "(",
      ")",
      "\n",
      "'",
      '"',
      "\\",
      "#",
      "{",
      "}",
      "!",
      "x=1",
      "a",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const words = plainWords(text);
        if (words === undefined) return;
        const bare = text.trim().replaceAll(/'[^']*'|"[^"]*"/g, "");
        expect(bare).not.toMatch(/[;&|<>$`()\n'"\\#{}!]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are the words that a real shell makes of the same text", () => {
    const piece = fc.constantFrom(
      ..."abc =./-:,@%+^é\t".split(""),
      "'",
      '"',
      "''",
      "'x y'",
      '"x;y"',
      "\\",
      "$x",
      ";",
      "\n",
      "if",
    );
    const texts = fc.sample(fc.array(piece, { minLength: 1, maxLength: 10 }), { numRuns: 3_000, seed: 7 });
    const plain = texts.flatMap((pieces) => {
      const text = pieces.join("");
      const words = plainWords(text);
      // Line breaks around it would end what the text is put into here.
      return words === undefined ? [] : [{ text: text.trim(), words: words.map((word) => word.text) }];
    });
    expect(plain.length).toBeGreaterThan(100);
    // Each text is evaluated by itself, and its words are printed one after the other.
    const script = plain.map(({ text }) => `set -f; set -- ${text}\nprintf '%s\\0' "$#" "$@"`).join("\n");
    const { stdout, stderr, status } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const printed = stdout.split("\0");
    for (const { text, words } of plain) {
      const count = Number(printed.shift());
      expect({ text, words: printed.splice(0, count) }).toEqual({ text, words });
    }
  });
});
