import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editFile } from "../../src/tools/edit-file.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { attempt, tree } from "./support.ts";

describe("read_file", () => {
  it("gives a short file whole, and the model just its text", async () => {
    using t = tree();
    t.put("src/a.txt", "one\ntwo\n");
    expect(await attempt(readFile(t.files), { path: "src/a.txt" }, t.context())).toEqual({
      result: {
        path: "src/a.txt",
        content: "one\ntwo",
        first_line: 1,
        last_line: 2,
        total_lines: 2,
        truncated: false,
      },
      text: "one\ntwo",
    });
  });

  it("gives windows that join to the whole file", async () => {
    using t = tree();
    const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i + 1} é😀`);
    t.put("long.txt", `${lines.join("\n")}\n`);
    const seen: string[] = [];
    for (let offset = 1; offset <= lines.length;) {
      const { result, text } = await attempt(readFile(t.files), { path: "long.txt", offset }, t.context());
      const { content, last_line, truncated } = result as {
        content: string;
        last_line: number;
        truncated: boolean;
      };
      seen.push(...content.split("\n"));
      expect(content.length).toBeLessThanOrEqual(12_000);
      if (truncated) expect(text).toContain(`Go on with offset ${last_line + 1}.`);
      offset = last_line + 1;
    }
    expect(seen).toEqual(lines);
  });

  it("says that a file is empty, and cuts a line that is too long", async () => {
    using t = tree();
    t.put("empty", "");
    t.put("wide", "x".repeat(50_000));
    expect((await attempt(readFile(t.files), { path: "empty" }, t.context())).text).toBe(
      "(The file is empty.)",
    );
    expect((await attempt(readFile(t.files), { path: "wide" }, t.context())).text).toBe(
      `${"x".repeat(2_000)}…`,
    );
  });

  it("names files that are near when there is none", async () => {
    using t = tree();
    t.put("src/parser.ts", "");
    t.put("src/other.md", "");
    const { error } = await attempt(readFile(t.files), { path: "src/Parsr.ts" }, t.context());
    expect(error).toBe("src/Parsr.ts does not exist. Did you mean src/parser.ts?");
    const far = await attempt(readFile(t.files), { path: "nothing/like/it" }, t.context());
    expect(far.error).toBe("nothing/like/it does not exist. Use list_files to see what there is.");
  });

  it.each([
    ["a NUL", Buffer.from([65, 0, 66])],
    ["no UTF-8", Buffer.from([0xff, 0xfe, 0x41])],
  ])("refuses a binary file: %s", async (_, bytes) => {
    using t = tree();
    t.put("b", bytes);
    const { error } = await attempt(readFile(t.files), { path: "b" }, t.context());
    expect(error).toBe("b is a binary file of 3 bytes; only text in UTF-8 can be read.");
  });

  it("refuses a directory, a line that is not there, and a file that is too large", async () => {
    using t = tree();
    t.put("d/f", "x");
    t.put("large", Buffer.alloc(10 * 1024 * 1024 + 1, 65));
    const read = async (args: Record<string, unknown>) =>
      (await attempt(readFile(t.files), args, t.context())).error;
    expect(await read({ path: "d" })).toBe("d is a directory. Use list_files to see what is in it.");
    expect(await read({ path: "." })).toContain("is the workspace, a directory");
    expect(await read({ path: "d/f", offset: 2 })).toBe("d/f has 1 line; there is no line 2.");
    expect(await read({ path: "large" })).toContain("Use local_search to find the part you need.");
    expect(await read({ path: "d/f/g" })).toContain("something on this path is a file");
  });
});

describe("write_file", () => {
  it("makes a file with its directories, and replaces one keeping its mode", async () => {
    using t = tree();
    const tool = writeFile(t.files);
    expect((await attempt(tool, { path: "a/b/c.sh", content: "é" }, t.context())).result).toEqual({
      path: "a/b/c.sh",
      created: true,
      bytes: 2,
    });
    chmodSync(join(t.workspace, "a/b/c.sh"), 0o755);
    expect((await attempt(tool, { path: "a/b/c.sh", content: "new" }, t.context())).text).toBe(
      "Replaced a/b/c.sh (3 bytes).",
    );
    expect(readFileSync(join(t.workspace, "a/b/c.sh"), "utf8")).toBe("new");
    expect(statSync(join(t.workspace, "a/b/c.sh")).mode & 0o777).toBe(0o755);
  });

  it("leaves nothing behind when it cannot write", async () => {
    using t = tree();
    t.put("d/f", "x");
    expect((await attempt(writeFile(t.files), { path: "d", content: "y" }, t.context())).error).toContain(
      "d is a directory",
    );
    expect((await attempt(writeFile(t.files), { path: "d/f/g", content: "y" }, t.context())).error).toContain(
      "is a file, not a directory",
    );
    expect(t.files.names({ workspace: t.workspace, path: "" })).toEqual(["d"]);
    expect(t.files.names({ workspace: t.workspace, path: "d" })).toEqual(["f"]);
  });

  it("shows a unified diff before, of a new file and of a changed one", async () => {
    using t = tree();
    t.put("old.txt", "one\ntwo\nthree\n");
    const tool = writeFile(t.files);
    const made = await tool.preview?.({ path: "new.txt", content: "hello\n" }, t.context());
    expect(made?.diff).toBe("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+hello\n");
    const changed = await tool.preview?.({ path: "old.txt", content: "one\n2\nthree\n" }, t.context());
    expect(changed?.diff).toBe("--- a/old.txt\n+++ b/old.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
    expect(existsSync(join(t.workspace, "new.txt"))).toBe(false);
  });
});

describe("edit_file", () => {
  it("replaces the one place, taking $ and the like as they are", async () => {
    using t = tree();
    t.put("a.js", "let a = 1;\nlet b = 2;\n");
    const args = { path: "a.js", old_text: "let b = 2;", new_text: "let b = '$&$1';" };
    expect(await attempt(editFile(t.files), args, t.context())).toEqual({
      result: { path: "a.js", replacements: 1, lines: [2], bytes: 27 },
      text: "Changed a.js: 1 replacement, at line 2.",
    });
    expect(readFileSync(join(t.workspace, "a.js"), "utf8")).toBe("let a = 1;\nlet b = '$&$1';\n");
  });

  it("names the lines when the text is there several times, and replaces all when asked", async () => {
    using t = tree();
    t.put("a", "x\ny\nx\nx\n");
    const tool = editFile(t.files);
    const { error } = await attempt(tool, { path: "a", old_text: "x", new_text: "z" }, t.context());
    expect(error).toContain("found 3 times in a, at lines 1, 3, 4.");
    expect(readFileSync(join(t.workspace, "a"), "utf8")).toBe("x\ny\nx\nx\n");
    await attempt(tool, { path: "a", old_text: "x", new_text: "z", replace_all: true }, t.context());
    expect(readFileSync(join(t.workspace, "a"), "utf8")).toBe("z\ny\nz\nz\n");
  });

  it("says why the text was not found", async () => {
    using t = tree();
    t.put("a", "if (x) {\n\treturn 1;\n}\nend\n");
    const why = async (old_text: string) =>
      (await attempt(editFile(t.files), { path: "a", old_text, new_text: "" }, t.context())).error;
    expect(await why("if (x) {\n  return 1;\n}")).toContain(
      "the white space differs (its first line is like line 1)",
    );
    expect(await why("if (x) {\n\treturn 2;")).toContain("but what follows differs");
    expect(await why("unlike anything")).toBe(
      "old_text is not in a. Read the file again: it must be copied exactly.",
    );
  });

  it("keeps Windows line ends", async () => {
    using t = tree();
    t.put("w", "a\r\nb\r\nc\r\n");
    await attempt(editFile(t.files), { path: "w", old_text: "a\nb", new_text: "1\n2" }, t.context());
    expect(readFileSync(join(t.workspace, "w"), "utf8")).toBe("1\r\n2\r\nc\r\n");
  });

  it("refuses to change what somebody else changed meanwhile", () => {
    using t = tree();
    t.put("a", "theirs");
    const place = { workspace: t.workspace, path: "a" };
    expect(() => t.files.write(place, Buffer.from("ours"), { replaces: Buffer.from("before") })).toThrow(
      "a was changed by somebody else. Read it again.",
    );
    expect(readFileSync(join(t.workspace, "a"), "utf8")).toBe("theirs");
  });

  it("previews the diff, and its check stops an edit that changes nothing", async () => {
    using t = tree();
    t.put("a", "one\n");
    const tool = editFile(t.files);
    const shown = await tool.preview?.({ path: "a", old_text: "one", new_text: "two" }, t.context());
    expect(shown?.diff).toContain("-one\n+two\n");
    expect(tool.checks?.map((check) => check({ path: "a", old_text: "x", new_text: "x" }))).toEqual([
      "old_text and new_text are the same, so there is nothing to change.",
    ]);
  });
});
