import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { completed, completionAt, ranked } from "../../src/chat/complete.ts";
import { type Editor, edited, newEditor, typed } from "../../src/chat/editor.ts";
import { editorRows } from "../../src/chat/editor-rows.ts";
import { workspaceFiles } from "../../src/chat/files.ts";
import { keepHistory, loadHistory } from "../../src/chat/history.ts";
import { keyOf } from "../../src/chat/keys.ts";
import { chosen, newPicker, offered, picked, pickerLines } from "../../src/chat/picker.ts";
import { slashOf } from "../../src/chat/slash.ts";
import { span } from "../../src/chat/span.ts";
import { makePlace } from "../support.ts";
import { shown } from "./support.ts";

function pressing(editor: Editor, ...names: readonly string[]): Editor {
  return names.reduce((now, name) => {
    const [, ctrl, alt, key = ""] = /^(ctrl-)?(alt-)?(.*)$/.exec(name) ?? [];
    return (
      edited(now, keyOf(undefined, { name: key, ctrl: ctrl !== undefined, meta: alt !== undefined })) ?? now
    );
  }, editor);
}

describe("the input", () => {
  test("is edited by the usual keys, a character at a time as people see them", () => {
    const editor = typed(newEditor(), "one two 👩‍👩‍👧");
    expect(pressing(editor, "backspace").text).toBe("one two ");
    expect(pressing(editor, "backspace", "ctrl-w").text).toBe("one ");
    expect(pressing(editor, "ctrl-u").text).toBe("");
    expect(pressing(editor, "home", "right", "delete").text).toBe("oe two 👩‍👩‍👧");
    expect(pressing(editor, "home", "alt-f", "ctrl-k").text).toBe("one");
    expect(pressing(typed(editor, "\nnext"), "ctrl-a", "ctrl-k").text).toBe("one two 👩‍👩‍👧\n");
    expect(edited(editor, keyOf("\u0001", { name: "f5" }))).toBeUndefined();
  });

  test("brings back what was said before, and what was being written", () => {
    const editor = typed(newEditor(["first", "second"]), "draft");
    expect(pressing(editor, "up").text).toBe("second");
    expect(pressing(editor, "up", "up", "up").text).toBe("first");
    expect(pressing(editor, "up", "up", "down", "down").text).toBe("draft");
    const lines = typed(newEditor(["old"]), "a\nb");
    expect(pressing(lines, "up")).toMatchObject({ text: "a\nb", cursor: 1 });
    expect(pressing(lines, "up", "up").text).toBe("old");
  });

  test("goes on in the next row at the edge, and the cursor with it", () => {
    const prompt = [span("› ")];
    const { rows, cursor } = editorRows(typed(newEditor(), "abcdefgh漢"), prompt, 8);
    expect(shown(rows)).toBe("› abcdef\n  gh漢");
    expect(cursor).toEqual({ row: 1, column: 6 });
    const full = editorRows(typed(newEditor(), "abcdef"), prompt, 8);
    expect(full.cursor).toEqual({ row: 1, column: 2 });
    const tall = editorRows(
      typed(newEditor(), Array.from({ length: 30 }, (_, i) => i).join("\n")),
      prompt,
      20,
    );
    expect(shown(tall.rows)).toMatch(/^ {2}22\n[^]*29$/);
  });
});

describe("what Tab completes", () => {
  const FILES = ["README.md", "src/index.ts", "src/deep/index.test.ts", "docs/inner.md"];

  test("is a file by its letters, the name itself first", () => {
    expect(ranked(FILES, "index")[0]).toBe("src/index.ts");
    expect(ranked(FILES, "sdit")).toEqual(["src/deep/index.test.ts"]);
    expect(ranked(FILES, "zzz")).toEqual([]);
    const text = "look at @ind and go";
    const found = completionAt(text, 12, FILES);
    expect(found).toMatchObject({
      start: 8,
      end: 12,
      options: ["@src/index.ts ", "@src/deep/index.test.ts ", "@docs/inner.md "],
    });
    expect(found && completed(text, found)).toEqual({ text: "look at @src/index.ts  and go", cursor: 22 });
    expect(completionAt("mail@ind", 8, FILES)).toBeUndefined();
  });

  test("is a command, and what it takes", () => {
    expect(completionAt("/mo", 3, [])?.options).toEqual(["/model ", "/mode "]);
    expect(completionAt("/mode pl", 8, [])?.options).toEqual(["plan"]);
    expect(completionAt("/nothing x", 10, [])).toBeUndefined();
    expect(slashOf("/mode plan")).toEqual({ name: "mode", rest: "plan" });
    expect(slashOf("/etc/hosts has a line too many")).toBeNull();
    expect(slashOf("no /mode")).toBeNull();
  });

  test("are files that git does not ignore; without git, a walk that stays in the folder", async () => {
    const { cwd } = makePlace();
    mkdirSync(join(cwd, "src"));
    mkdirSync(join(cwd, "node_modules"));
    for (const file of ["src/a.ts", "dropped.log", "node_modules/x.js", "naïve name.md"])
      writeFileSync(join(cwd, file), "");
    symlinkSync("/", join(cwd, "out"));
    const plain = await workspaceFiles(cwd);
    expect(plain.toSorted()).toEqual(["dropped.log", "naïve name.md", "src/a.ts"]);
    execFileSync("git", ["init", "-q"], { cwd });
    writeFileSync(join(cwd, ".gitignore"), "*.log\nnode_modules\nout\n");
    expect((await workspaceFiles(cwd)).toSorted()).toEqual([".gitignore", "naïve name.md", "src/a.ts"]);
    expect(await workspaceFiles(join(cwd, "nowhere"))).toEqual([]);
  });
});

describe("what was said before", () => {
  test("is kept for its owner alone, with line breaks, and a broken file costs nothing", () => {
    const { config } = makePlace();
    const file = join(config, "chat-history");
    expect(loadHistory(file)).toEqual([]);
    keepHistory(file, "one\ntwo");
    keepHistory(file, "three");
    expect(loadHistory(file)).toEqual(["one\ntwo", "three"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, `${readFileSync(file, "utf8")}{broken\n17\n`);
    expect(loadHistory(file)).toEqual(["one\ntwo", "three"]);
    writeFileSync(file, Array.from({ length: 2_500 }, (_, i) => `"${i}"\n`).join(""));
    expect(loadHistory(file)).toHaveLength(1_000);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(1_001);
    keepHistory(join(file, "impossible"), "lost");
  });
});

describe("a list to choose from", () => {
  const options = Array.from({ length: 30 }, (_, i) => ({
    value: i,
    label: `Session ${i}`,
    about: i % 2 ? "odd" : "even",
  }));

  test("is gone through by arrows and narrowed by typing", () => {
    const down = keyOf(undefined, { name: "down" });
    let picker = newPicker("Go on in", options);
    for (let i = 0; i < 40; i++) picker = picked(picker, down);
    expect(chosen(picker)?.value).toBe(29);
    for (const text of "27 odd") picker = picked(picker, keyOf(text, { name: text }));
    expect(offered(picker).map(({ value }) => value)).toEqual([27]);
    expect(chosen(picker)?.value).toBe(27);
    picker = picked(picker, keyOf("x", { name: "x" }));
    expect(chosen(picker)).toBeUndefined();
    expect(shown(pickerLines(picker, 80, 10))).toContain("nothing fits");
    expect(chosen(picked(picker, keyOf(undefined, { name: "backspace" })))?.value).toBe(27);
  });

  test("shows what is chosen, however small the screen", () => {
    const picker = { ...newPicker("Go on in", options), index: 20 };
    const rows = shown(pickerLines(picker, 24, 6)).split("\n");
    expect(rows).toHaveLength(6);
    expect(rows).toContain("❯ Session 20  even");
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(24);
  });
});
