import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical.ts";
import { matchesPattern, parsePattern, type Pattern, printPattern } from "./pattern.ts";
import { patternRisk, suggestPattern } from "./suggest.ts";
import type { Asked } from "./types.ts";

function pattern(text: string): Pattern {
  const read = parsePattern(text);
  if (!read.ok) throw new Error(read.error);
  return read.pattern;
}

const shell = (command: unknown, more: object = {}): Asked => ({
  name: "shell",
  kind: "shell",
  arguments: { command, ...more },
});
const write = (path: unknown): Asked => ({
  name: "write_file",
  kind: "file_edit",
  paths: ["path"],
  arguments: { path, content: "x" },
});
const fetching = (url: unknown): Asked => ({ name: "web_fetch", kind: "network", arguments: { url } });
const foreign = (args: Asked["arguments"]): Asked => ({ name: "issue.create", arguments: args });
const fits = (text: string, asked: Asked): boolean => matchesPattern(pattern(text), asked);

describe("a path", () => {
  it.each([
    ["write_file: src/**", "src/a.ts", true],
    ["write_file: src/**", "src/a/b/c.ts", true],
    ["write_file: src/**", "./src//a.ts", true],
    ["write_file: src/**", "src", true],
    ["write_file: src/**", "srcs/a.ts", false],
    ["write_file: src/**", "src/../etc/passwd", false],
    ["write_file: src/**", "/src/a.ts", false],
    ["write_file: src/**", "~/src/a.ts", false],
    ["write_file: src/**", "src\\..\\..\\x", false],
    ["write_file: src/**", "C:/src/a", false],
    ["write_file: src/**", "src/a\u0000b", false],
    ["write_file: src/**", "src/.env", false],
    ["write_file: src/**", "src/.git/hooks/x", false],
    ["write_file: src/.env", "src/.env", true],
    ["write_file: **", ".git/config", false],
    ["write_file: **/*.md", "a.md", true],
    ["write_file: **/*.md", "a/b/c.md", true],
    ["write_file: **/*.md", "a/b/c.mdx", false],
    ["write_file: *", "a.md", true],
    ["write_file: *", "a/b.md", false],
    ["write_file: notes/*-*.md", "notes/a-b.md", true],
    ["write_file: notes/*-*.md", "notes/ab.md", false],
    ["write_file: notes/a*a", "notes/a", false],
    ["write_file: notes/todo.md", "notes/todo.md", true],
    ["write_file: notes/todo.md", "notes/todo.md.bak", false],
    ["write_file", "any/where.txt", true],
    ["write_file", "../any", false],
    ["edit_file: **", "a", false],
  ] as const)("%s on %j: %s", (text, path, allowed) => {
    expect(fits(text, write(path))).toBe(allowed);
  });

  it("is every path of the call, and none that is no text", () => {
    const move = (from: unknown, to: unknown): Asked => ({
      name: "move",
      paths: ["from", "to"],
      arguments: { from, to },
    });
    expect(fits("move: src/**", move("src/a", "src/b"))).toBe(true);
    expect(fits("move: src/**", move("src/a", "b"))).toBe(false);
    expect(fits("move: src/**", move("src/a", ["src/b"]))).toBe(false);
    expect(fits("write_file: **", write(undefined))).toBe(true);
    expect(fits("write_file: src/**", write(undefined))).toBe(false);
  });
});

describe("other tools", () => {
  it.each([
    ["web_fetch: https://example.com/docs/*", "https://example.com/docs/a?b=c", true],
    ["web_fetch: https://example.com/docs/*", "https://EXAMPLE.com:443/docs/", true],
    ["web_fetch: https://example.com/docs/*", "https://example.com/docs/../secret", false],
    ["web_fetch: https://example.com/docs/*", "https://example.com/doc", false],
    ["web_fetch: https://example.com/docs/*", "http://example.com/docs/", false],
    ["web_fetch: https://example.com/*", "https://example.com.evil.test/", false],
    ["web_fetch: https://example.com/*", "https://example.com@evil.test/", false],
    ["web_fetch: https://example.com/*", "https://user:pw@example.com/", false],
    ["web_fetch: https://example.com/*", "https://example.com:8443/", false],
    ["web_fetch: https://example.com/*", "file:///etc/passwd", false],
    ["web_fetch: https://example.com/a", "https://example.com/a#part", true],
    ["web_fetch: https://example.com/a", "https://example.com/ab", false],
    ["web_fetch", "https://any.test/", true],
  ] as const)("%s on %s: %s", (text, url, allowed) => {
    expect(fits(text, fetching(url))).toBe(allowed);
  });

  it("are allowed as a whole, or with exactly these arguments", () => {
    expect(fits("issue.create", foreign({ a: 1 }))).toBe(true);
    expect(fits("issue.create: *", foreign({ a: 1 }))).toBe(true);
    expect(fits('issue.create: {"b":2,"a":1}', foreign({ a: 1, b: 2 }))).toBe(true);
    expect(fits('issue.create: {"a":1}', foreign({ a: 1, b: 2 }))).toBe(false);
    expect(fits('issue.create: {"a":1}', foreign({ a: "1" }))).toBe(false);
    expect(fits("issue.create: src/**", foreign({ path: "src/a" }))).toBe(false);
    expect(fits("issue", foreign({}))).toBe(false);
  });
});

describe("a text that is no pattern", () => {
  it.each([
    ["", /TOOL: WORDS/],
    ["*", /TOOL: WORDS/],
    ["*: git", /TOOL: WORDS/],
    ["shell:git status", /TOOL: WORDS/],
    ["shell:", /Nothing follows/],
    ["shell:   ", /Nothing follows/],
    ["shell: git status; rm x", /one plain command/],
    ["shell: git status && *", /one plain command/],
    ["shell: git * status", /one plain command/],
    ["shell: git st*us", /one plain command/],
    ["shell: git **", /one plain command/],
    ["shell: git $(x)*", /one plain command/],
    ["shell: X=1 git*", /one plain command/],
    ["shell: git 'a*", /one plain command/],
    ["write_file: ../x", /a path of the workspace/],
    ["write_file: /etc/**", /a path of the workspace/],
    ["write_file: src/a**", /a path of the workspace/],
    ["write_file: {a,b}", /a path of the workspace/],
    ["web_fetch: example.com/*", /an address/],
    ["web_fetch: https://example.com*", /an address/],
    ["web_fetch: https://*.example.com/", /an address/],
    ["web_fetch: ftp://example.com/", /an address/],
    ["other: {", /exact arguments/],
    ["shell: git\nstatus", /one line/],
    [`shell: ${"x".repeat(1_000)}`, /one line/],
  ])("%j is refused with what would be right", (text, error) => {
    expect(parsePattern(text)).toEqual({ ok: false, error: expect.stringMatching(error) });
  });
});

describe("a pattern to save", () => {
  it.each([
    [shell("git status -sb"), "shell: git status*"],
    [shell("npm test"), "shell: npm test"],
    [shell("npm test --script-shell ./x"), "shell: npm test --script-shell ./x"],
    [shell("go vet -vettool=./x ./..."), "shell: go vet -vettool=./x ./..."],
    [shell("go test ./..."), "shell: go test ./..."],
    [shell("cargo test"), "shell: cargo test"],
    [shell("pnpm test"), "shell: pnpm test"],
    [shell("rm -rf build"), "shell: rm -rf build"],
    [shell("git commit -m 'two words'"), "shell: git commit -m 'two words'"],
    [shell('echo "it\'s"'), 'shell: echo "it\'s"'],
    [shell("git status; rm x"), undefined],
    [shell("ls *.ts"), undefined],
    [shell("git status", { cwd: "x" }), undefined],
    [write("notes/todo.md"), "write_file: notes/todo.md"],
    [write("../x"), undefined],
    [write("a*b"), undefined],
    [fetching("https://example.com/a?b"), "web_fetch: https://example.com/*"],
    [fetching("nonsense"), undefined],
    [fetching("http://example.com:8080/a"), "web_fetch: http://example.com:8080/*"],
    [foreign({ b: "x y", a: 1 }), 'issue.create: {"a":1,"b":"x y"}'],
    [foreign({}), "issue.create: {}"],
    [foreign({ text: "two\nlines" }), 'issue.create: {"text":"two\\nlines"}'],
    [foreign({ text: "x".repeat(1_000) }), undefined],
  ] as const)("is suggested as narrow as the call", (asked, text) => {
    expect(suggestPattern(asked)).toBe(text);
  });

  it("allows the call it was suggested for, reads back the same, and is never risky for a shell", () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab-/.=' \"$*;é\\") });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const asked = shell(words.map((one) => `'${one.replaceAll("'", "")}'`).join(" "));
        const text = suggestPattern(asked);
        if (text === undefined) return;
        const read = pattern(text);
        expect(matchesPattern(read, asked)).toBe(true);
        expect(printPattern(read)).toBe(text);
        expect(patternRisk(read)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("of a foreign tool allows these arguments alone, and reads back the same", () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    fc.assert(
      fc.property(args, args, (one, other) => {
        const text = suggestPattern(foreign(one));
        if (text === undefined) return;
        const read = pattern(text);
        expect(printPattern(read)).toBe(text);
        expect(read.rest).not.toBeNull();
        expect(patternRisk(read)).toBeUndefined();
        expect(matchesPattern(read, foreign(one))).toBe(true);
        expect(matchesPattern(read, foreign({ ...one, more: 1 }))).toBe("more" in one && one["more"] === 1);
        if (canonicalJson(one) !== canonicalJson(other))
          expect(matchesPattern(read, foreign(other))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("brings back no secret that is taken out of the arguments", () => {
    const see = ({ password: _, ...args }: Asked["arguments"]) => args;
    expect(suggestPattern(foreign({ password: "x", a: 1 }), see)).toBeUndefined();
    expect(suggestPattern(foreign({ a: 1 }), see)).toBe('issue.create: {"a":1}');
  });

  it("is kept in one form, however its arguments are written", () => {
    expect(printPattern(pattern('issue.create:  { "b": 2, "a": 1 }'))).toBe('issue.create: {"a":1,"b":2}');
  });

  it.each([
    ["shell: *", true],
    ["shell", true],
    ["shell: git*", true],
    ["shell: git *", true],
    ["shell: bash -c*", true],
    ["shell: sudo systemctl*", true],
    ["shell: rm -rf build*", true],
    ["shell: git status*", false],
    ["shell: bash build.sh", false],
    ["write_file: **", true],
    ["write_file: src/**", false],
    ["issue.create", true],
    ['issue.create: {"a":1}', false],
  ])("%s is called risky: %s", (text, risky) => {
    expect(patternRisk(pattern(text)) !== undefined).toBe(risky);
  });
});
