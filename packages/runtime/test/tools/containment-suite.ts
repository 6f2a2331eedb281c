import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editFile } from "../../src/tools/edit-file.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { attempt, type Tree, tree } from "./support.ts";

export function withSecret(): Tree & { readonly secret: string } {
  const t = tree({ hidden: [".fairlead"], fixed: ["fairlead.yaml"] });
  const secret = join(t.outside, "secret");
  writeFileSync(secret, "SECRET");
  return { ...t, secret };
}

/** What each file tool says about a path. */
async function all(t: Tree, path: string): Promise<readonly (string | undefined)[]> {
  return Promise.all([
    attempt(readFile(t.files), { path }, t.context()),
    attempt(writeFile(t.files), { path, content: "HACKED" }, t.context()),
    attempt(editFile(t.files), { path, old_text: "SECRET", new_text: "HACKED" }, t.context()),
  ]).then((done) => done.map(({ error }) => error));
}

/** What holds on every system. */
export function containmentSuite(): void {
  describe("file tools stay in the workspace", () => {
    it.each([
      ["..", "../secret"],
      [".. in the middle", "a/../../secret"],
      ["a link to a file", "link"],
      ["a link to a link", "link2"],
      ["a link to a directory", "out/secret"],
      ["a new file through a link", "out/new/deep"],
    ])("not out by %s", async (_, path) => {
      using t = withSecret();
      mkdirSync(join(t.workspace, "a"));
      mkdirSync(join(t.outside, "elsewhere"));
      symlinkSync(t.secret, join(t.workspace, "link"));
      symlinkSync("link", join(t.workspace, "link2"));
      symlinkSync(t.outside, join(t.workspace, "out"));
      for (const error of await all(t, path))
        expect(error).toMatch(/is outside the workspace|does not exist/);
      expect(readFileSync(t.secret, "utf8")).toBe("SECRET");
      expect(execFileSync("find", [t.outside, "-newer", t.secret, "-type", "f"], { encoding: "utf8" })).toBe(
        "",
      );
    });

    it("takes .. as text: what is before it is left, whatever link it is", async () => {
      using t = withSecret();
      symlinkSync(t.outside, join(t.workspace, "out"));
      expect((await attempt(readFile(t.files), { path: "out/../secret" }, t.context())).error).toContain(
        "does not exist",
      );
      await attempt(writeFile(t.files), { path: "out/../secret", content: "mine" }, t.context());
      expect(readFileSync(join(t.workspace, "secret"), "utf8")).toBe("mine");
      expect(readFileSync(t.secret, "utf8")).toBe("SECRET");
    });

    it("not out by an absolute path, even to a file inside", async () => {
      using t = withSecret();
      t.put("in", "SECRET");
      for (const path of [t.secret, join(t.workspace, "in"), "C:\\secret", "C:/secret"])
        for (const error of await all(t, path)) expect(error).toContain("is absolute");
      for (const error of await all(t, "a\0b")) expect(error).toContain("NUL");
    });

    it("follows a link that stays inside, and writes to what it leads to", async () => {
      using t = withSecret();
      t.put("real/f", "SECRET");
      symlinkSync("real", join(t.workspace, "dir"));
      symlinkSync("dir/f", join(t.workspace, "file"));
      expect(await all(t, "file")).toEqual([
        undefined,
        undefined,
        expect.stringContaining("old_text is not in"),
      ]);
      expect(readFileSync(join(t.workspace, "real/f"), "utf8")).toBe("HACKED");
    });

    it("does not write through a link to nothing", async () => {
      using t = withSecret();
      symlinkSync(join(t.outside, "made"), join(t.workspace, "dangling"));
      for (const error of await all(t, "dangling")) expect(error).toContain("is a link that leads nowhere");
      symlinkSync("loop", join(t.workspace, "loop"));
      for (const error of await all(t, "loop/x")) expect(error).toBeDefined();
    });

    it("changes nothing outside through a hard link", async () => {
      using t = withSecret();
      linkSync(t.secret, join(t.workspace, "hard"));
      await attempt(writeFile(t.files), { path: "hard", content: "HACKED" }, t.context());
      expect(readFileSync(t.secret, "utf8")).toBe("SECRET");
      expect(readFileSync(join(t.workspace, "hard"), "utf8")).toBe("HACKED");
    });

    it.each([
      ".git/config",
      ".GIT/config",
      "sub/.git/hooks/pre-commit",
      ".git",
      "x/../.git/config",
      "gitlink/config",
    ])("leaves git's own files alone: %s", async (path) => {
      using t = withSecret();
      t.put(".git/config", "SECRET");
      t.put("sub/f", "");
      symlinkSync(".git", join(t.workspace, "gitlink"));
      for (const error of await all(t, path)) expect(error).toMatch(/belongs to git's own files/);
      expect(readFileSync(join(t.workspace, ".git/config"), "utf8")).toBe("SECRET");
    });

    it("opens nothing of our own data, by name, by link or by hard link", async () => {
      using t = withSecret();
      const data = t.put(".fairlead/log.db", "SECRET");
      symlinkSync(".fairlead", join(t.workspace, "ours"));
      linkSync(data, join(t.workspace, "copy"));
      for (const path of [".fairlead/log.db", "ours/log.db", "copy", ".fairlead/new"])
        for (const error of await all(t, path)) expect(error).toContain("is not open to tools");
      expect(readFileSync(data, "utf8")).toBe("SECRET");
    });

    it("reads our configuration and does not change it", async () => {
      using t = withSecret();
      t.put("fairlead.yaml", "SECRET");
      const refused = expect.stringContaining("can be read, but not changed by tools");
      expect(await all(t, "fairlead.yaml")).toEqual([undefined, refused, refused]);
    });

    it("does not wait for a pipe, nor read a device", async () => {
      using t = withSecret();
      execFileSync("sh", ["-c", `mkfifo "$0"`, join(t.workspace, "pipe")]);
      for (const error of await all(t, "pipe")) expect(error).toContain("is no plain file");
    });

    it("works in a workspace that lies in a hidden directory", () => {
      using t = tree({ hidden: ["."] });
      t.put("inner/f", "hello");
      const place = { workspace: join(t.workspace, "inner"), path: "f" };
      expect(Buffer.from(t.files.read(place, 100).bytes).toString()).toBe("hello");
    });
  });
}
