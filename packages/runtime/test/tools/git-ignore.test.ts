import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemTimers } from "../../src/host/timers.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { openTools } from "../../src/open-tools.ts";
import { repository } from "./git-ignore-support.ts";
import { context } from "./support.ts";

const ROOM = { limit: 8, chars: 12_000, signal: new AbortController().signal };

describe("what git ignores is left out", () => {
  it("by rules above the workspace, up to the repository's top", async () => {
    using r = repository();
    r.put(".gitignore", "*.key\n/apps/one/out\nlogs/\n");
    r.put("apps/.gitignore", "!public.key\ntmp\n");
    for (const name of ["a.txt", "a.key", "public.key", "out/x", "in/out/x", "logs/x", "tmp/x"])
      r.put(`apps/one/${name}`);
    expect(await r.walked(join(r.top, "apps/one"))).toEqual(["a.txt", "in/out/x", "public.key"]);
  });

  it("by the repository's own list and the user's, each weaker than the files", async () => {
    using r = repository();
    r.put(".git/info/exclude", "*.local\n!b.swp\n");
    r.put("~/.config/git/ignore", "*.swp\n*.env\n");
    r.put(".gitignore", "!kept.local\n!kept.env\n");
    for (const name of ["a.local", "kept.local", "a.swp", "b.swp", "a.env", "kept.env", "a.txt"]) r.put(name);
    expect(await r.walked()).toEqual([".gitignore", "a.txt", "b.swp", "kept.env", "kept.local"]);
  });

  it("by the user's list where the settings name it", async () => {
    using r = repository();
    r.put("~/my-ignores", "secret.*\n");
    r.git(["config", "--global", "core.excludesFile", "~/my-ignores"]);
    r.put("secret.txt");
    r.put("plain.txt");
    expect(await r.walked()).toEqual(["plain.txt"]);
  });

  it("in a worktree, by the list of the repository it belongs to", async () => {
    using r = repository();
    r.put("a.txt");
    r.git(["add", "a.txt"]);
    r.git(["-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-qm", "first"]);
    const tree = join(dirname(r.top), "tree");
    r.git(["worktree", "add", "-q", tree]);
    r.put(".git/info/exclude", "*.local\n");
    r.put("../tree/b.local");
    r.put("../tree/c.txt");
    expect(await r.walked(tree)).toEqual(["a.txt", "c.txt"]);
  });

  it("in a repository in the workspace, by its own list too", async () => {
    using r = repository();
    r.put("inner/a.txt");
    r.git(["init", "-q", "inner"]);
    r.put("inner/.git/info/exclude", "*.local\n");
    r.put("inner/b.local");
    r.put("b.local");
    expect(await r.walked()).toEqual(["b.local", "inner/a.txt"]);
  });

  it("but not all of a workspace that is ignored itself: somebody chose it", async () => {
    using r = repository();
    r.put(".gitignore", "/*\n");
    r.put("~/.config/git/ignore", "*.env\n");
    for (const name of ["a.txt", "a.env", "b.txt"]) r.put(`project/${name}`);
    r.put("project/.gitignore", "b.txt\n");
    expect(await r.walked()).toEqual([]);
    expect(await r.walked(join(r.top, "project"))).toEqual([".gitignore", "a.txt"]);
  });

  it("where there is no repository, or something else has its name", async () => {
    using r = repository();
    rmSync(join(r.top, ".git"), { recursive: true });
    r.put(".git/info/exclude", "*.local\n");
    r.put(".gitignore", "*.key\n");
    for (const name of ["sub/a.local", "sub/a.key"]) r.put(name);
    expect(await r.walked()).toEqual([".gitignore", "sub/a.local"]);
    expect(await r.walked(join(r.top, "sub"))).toEqual(["a.key", "a.local"]);
    rmSync(join(r.top, ".git"), { recursive: true });
    r.put(".git", "gitdir: nowhere\n");
    expect(await r.walked()).toEqual([".gitignore", "sub/a.local"]);
  });

  it("and everything under rules too long to be read", async () => {
    using r = repository();
    r.put("long/.gitignore", `# ${"x".repeat(1024 * 1024)}\n`);
    r.put("long/a.txt");
    r.put("b.txt");
    expect(await r.walked()).toEqual(["b.txt"]);
  });

  it("and a name over which rules made to last are undecided", async () => {
    using r = repository();
    r.put(".gitignore", `${"*a".repeat(60)}b\n`.repeat(2_000));
    r.put("a".repeat(200));
    r.put("plain");
    expect(await r.walked()).toEqual([".gitignore", "plain"]);
  });

  it("and not by a link in the place of rules", async () => {
    using r = repository();
    r.put("rules", "*.txt\n");
    r.put("a.txt");
    symlinkSync("rules", join(r.top, ".gitignore"));
    expect(await r.walked()).toEqual(["a.txt", "rules"]);
    expect(r.kept(["a.txt", "rules"])).toEqual(["a.txt", "rules"]);
  });

  it("by the tools as they are opened, and by retrieval", async () => {
    using r = repository();
    r.put("~/.config/git/ignore", "*.env\n");
    r.put(".gitignore", "a*b*c*d*e.txt\n");
    for (const name of ["work/prod.env", "work/a1b2c3d4e.txt", "work/plain.txt"]) r.put(name);
    const workspace = join(r.top, "work");
    const tools = await openTools({
      config: ToolsConfig.parse({ sandbox: { mode: "none" } }),
      base: workspace,
      workspace,
      home: r.home,
      hidden: [],
      fixed: [],
      env: r.env,
      timers: systemTimers,
      version: "0",
      report: (problem) => expect.unreachable(problem),
    });
    onTestFinished(() => tools.close());
    const { citations } = await tools.retriever.retrieve(workspace, "needle", ROOM);
    expect(citations.map(({ path }) => path)).toEqual(["plain.txt"]);
    const asked = { tool_call_id: "call_1", name: "local_search", arguments: '{"query":"needle"}' };
    const guarded = await tools.check(asked, workspace);
    if (!guarded.ok) expect.unreachable();
    const outcome = await tools.run(guarded.call, context(workspace));
    expect(outcome).toMatchObject({ status: "ok", result: { chunks: [{ path: "plain.txt" }] } });
  });
});

describe("as git check-ignore says", () => {
  const NAMES = ["c", "ab.x", "aXbYc", "é", "a b", "A", "[a]", "#h", "!n", "b*", "t "];
  const DIRECTORIES = ["a", "b", "a-b"];

  /** Every directory three levels deep, and each name in each of them. */
  function all(depth = 0, at = ""): string[] {
    const inner = depth === 2 ? [] : DIRECTORIES.flatMap((name) => all(depth + 1, `${at}${name}/`));
    return [...NAMES.map((name) => `${at}${name}`), ...inner];
  }

  const plain = [
    "a",
    "b",
    "c",
    "A",
    "é",
    "a b",
    "a-b",
    "t ",
    "t\\ ",
    "",
    "\\a",
    "\\*",
    "b\\*",
    "\\[a\\]",
    "c\\",
  ];
  const stars = ["*", "**", "***", "?", "??", "*.x", "*b", "a*", "a?b", "a*b*c", "*a*b*c*", "*?*?*?*"];
  const sets = [
    "[ab]",
    "[!a]",
    "[^a-c]",
    "[]a]",
    "[[:upper:]]*",
    "[a",
    "[[:no:]]",
    "[a-]-b",
    "[\\a]",
    "*[Y]*",
  ];
  const segment = fc.constantFrom(...plain, ...stars, ...sets);
  const line = fc
    .tuple(
      fc.constantFrom("", "", "!", "/", "!/", "#", "\\#", "\\!"),
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "", "/", " ", "\r", "/**"),
    )
    .map(([before, segments, after]) => `${before}${segments.join("/")}${after}`);
  const rules = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));

  it("for any rules, in every place that has some", async () => {
    using r = repository();
    const names = all();
    for (const name of names) r.put(name);
    const places = [
      ".gitignore",
      "a/.gitignore",
      "a/b/.gitignore",
      ".git/info/exclude",
      "~/.config/git/ignore",
    ];
    await fc.assert(
      fc.asyncProperty(fc.tuple(rules, rules, rules, rules, rules), async (texts) => {
        for (const [i, place] of places.entries()) r.put(place, texts[i]);
        const expected = r.kept(names);
        const walked = await r.walked();
        expect(walked.filter((name) => !name.endsWith(".gitignore"))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
