import { describe, expect, it } from "vitest";
import { resolvePath, isOutside, workspaceOf } from "../../src/domain/policy/action/places.ts";
import { readShell } from "../../src/domain/policy/shell/commands.ts";

const lines = (text: string) => readShell(text).commands.map(({ words }) => words.join(" "));

describe("programs that a command line runs", () => {
  it.each([
    ["a b c", ["a b c"]],
    ["a; b && c || d & e", ["a", "b", "c", "d", "e"]],
    ["a | b |& c", ["c", "b", "a"]],
    ["'a b' \"c  d\" e\\ f", ["a b c  d e f"]],
    ["a$'\\t'b", ["a\tb"]],
    ["a # b; c", ["a"]],
    ["a#b", ["a#b"]],
    ["X=1 Y=2 a", ["a"]],
    ["X=$(a)", ["a"]],
    ["a > f 2>&1 < g", ["a"]],
    ["a $(b `c`)", ["a $()", "b $()", "c"]],
    ['a "$(b "c d")"', ["a $()", "b c d"]],
    ["a ${x:-$(b)}", ["a $x", "b"]],
    ["(a; b) | c", ["c", "a", "b"]],
    ["{ a; b; }", ["a", "b"]],
    ["if a; then b; else c; fi", ["a", "b", "c", "fi"]],
    ["! a", ["a"]],
    ["case x in y) a;; *) b;; esac", ["a", "b", "esac"]],
    [
      "sudo -u me env X=1 nice -n 3 a b",
      ["sudo -u me env X=1 nice -n 3 a b", "env X=1 nice -n 3 a b", "nice -n 3 a b", "a b"],
    ],
    ["bash -lc 'a; b'", ["bash -lc a; b", "a", "b"]],
    ["xargs -n 1 a", ["xargs -n 1 a", "a"]],
    ["find d -exec a {} \\;", ["find d -exec a {} ;", "a d/{}"]],
    ["a <<E\n$(b)\nE\nc", ["a", "b", "c"]],
    ["a <<'E'\n$(b)\nE\nc", ["a", "c"]],
    ["sh <<-E\n\ta\n\tE\nb", ["sh", "a", "b"]],
    ["a \\\n b", ["a b"]],
    ["{a,b}c", ["ac bc"]],
    ["a {b,c}{d,e}", ["a bd be cd ce"]],
    ["a '{b,c}'", ["a {b,c}"]],
    ["a$IFS'b'", ["a b"]],
    ["", []],
    ["   \n ;; ", []],
  ])("%j", (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  it("knows where output goes", () => {
    const into = (text: string, name: string) =>
      [...(readShell(text).commands.find((one) => one.name === name)?.into ?? [])].toSorted();
    expect(into("a | b | c", "a")).toEqual(["b", "c"]);
    expect(into("b $(a)", "a")).toEqual(["b"]);
    expect(into("b $(a) | c", "a")).toEqual(["b", "c"]);
    expect(into("b <(a)", "a")).toEqual(["b"]);
    expect(into("a > >(b)", "a")).toEqual(["b"]);
    expect(into("(a; x) | b", "a")).toEqual(["b"]);
    expect(into("a | sudo b", "a")).toEqual(["b", "sudo"]);
    expect(into("a; b", "a")).toEqual([]);
  });

  it("says when it cannot tell", () => {
    for (const text of ["a 'b", 'a "b', "a $(b", "a `b", "(a", "a <<E\nb"])
      expect(readShell(text).readable, text).toBe(false);
    for (const text of ["$a b", "${a} b", "r?", "$(a) b", "a$b"])
      expect(
        readShell(text).commands.some(({ computed }) => computed),
        text,
      ).toBe(true);
    for (const text of ["$(a)/b c", "$HOME/b", "[ a ]", "./a"])
      expect(
        readShell(text).commands.some(({ computed }) => computed),
        text,
      ).toBe(false);
  });
});

describe("paths", () => {
  it.each([
    ["a/b", "/w", "/w/a/b"],
    ["./a/../b", "/w", "/w/b"],
    ["../../../..", "/w/x", "/"],
    ["/a//b/./c/", "/w", "/a/b/c"],
    ["~/a", "/w", "~/a"],
    ["~/../a", "/w", "~/../a"],
    ["a/../..", ".", ".."],
    ["a", ".", "./a"],
    [".", ".", "."],
    ["../a", "..", "../../a"],
    ["C:\\x\\..\\y", "/w", "C:/y"],
  ])("%s from %s is %s", (path, cwd, expected) => {
    expect(resolvePath(path, cwd, undefined)).toBe(expected);
  });
  it("knows the home directory from the workspace", () => {
    expect(workspaceOf("/home/ada/app/")).toEqual({ root: "/home/ada/app", home: "/home/ada" });
    expect(resolvePath("~/x", "/w", "/home/ada")).toBe("/home/ada/x");
    expect(resolvePath("~bob/x", "/w", "/home/ada")).toBe("~bob/x");
  });
  it.each([
    "/",
    "//",
    "/etc",
    "/etc/x",
    "/home",
    "/home/ada",
    "/usr",
    "",
    "relative",
    "../x",
    7,
    null,
    "/tmp",
    "/dev",
    "/dev/shm",
    "/dev/shm/",
    "/dev/shm/..",
    "/dev/shm/../mapper/x",
    "/dev/shmem/x",
    "/dev/fd/3",
    "/dev/mapper/x",
  ])("%j is no workspace", (path) => {
    expect(workspaceOf(path)).toEqual({ root: ".", home: undefined });
  });
  it("takes the first claim that can be one, and none where a directory is given", () => {
    expect(workspaceOf(undefined, ["/", "/srv/app", "/srv/other"]).root).toBe("/srv/app");
    for (const given of ["/", "/home/ada", "/srv", ""])
      expect(workspaceOf(given, ["/srv/app"]).root, given).toBe(".");
    expect(workspaceOf("/srv/given", ["/srv/app"]).root).toBe("/srv/given");
  });
  it("knows a workspace in shared memory, which is a place like any other", () => {
    const workspace = workspaceOf("/dev/shm/box/app");
    expect(workspace).toEqual({ root: "/dev/shm/box/app", home: undefined });
    for (const path of ["/dev/shm/box/app", "/dev/shm/box/app/x"])
      expect(isOutside(path, workspace, false), path).toBe(false);
    for (const path of ["/dev/shm", "/dev/shm/box", "/dev/shm/x", "/dev/sda", "/srv/app"])
      expect(isOutside(path, workspace, true), path).toBe(true);
  });
  it("leaves alone what is no file below /dev, and nothing else there", () => {
    const workspace = workspaceOf("/srv/app");
    for (const name of "null zero full random urandom tty stdin stdout stderr fd fd/0 fd/63".split(" "))
      expect(isOutside(`/dev/${name}`, workspace, false), name).toBe(false);
    for (const name of "shm shm/x shm/null sda mem tty0 ttyS0 pts/1 fd/3/x fd/shadow null/x nullx tcp/h/80".split(
      " ",
    ))
      expect(isOutside(`/dev/${name}`, workspace, true), name).toBe(true);
  });
  it("does not take a longer name for one inside", () => {
    const workspace = workspaceOf("/srv/app");
    expect(isOutside("/srv/app2", workspace, true)).toBe(true);
    expect(isOutside("/srv/app/x", workspace, true)).toBe(false);
    expect(isOutside("/usr/lib/x", workspace, true)).toBe(false);
    expect(isOutside("/usr/lib/x", workspace, false)).toBe(true);
  });
});
