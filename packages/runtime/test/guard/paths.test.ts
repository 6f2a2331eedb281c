import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PathArgument } from "../../src/ports/tool.ts";
import { checked, said, short, tool } from "./support.ts";

let root: string;
let workspace: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-guard-")));
  workspace = join(root, "work");
  mkdirSync(join(workspace, "src", "deep"), { recursive: true });
  mkdirSync(join(root, "workshop"));
  writeFileSync(join(workspace, "src", "a.txt"), "a");
  writeFileSync(join(root, "secret"), "s");
  symlinkSync("src/a.txt", join(workspace, "to-file"));
  symlinkSync(join(workspace, "src"), join(workspace, "to-src"));
  symlinkSync(workspace, join(workspace, "src", "to-work"));
  symlinkSync("../secret", join(workspace, "to-secret"));
  symlinkSync(root, join(workspace, "to-root"));
  symlinkSync("../new-secret", join(workspace, "to-new-outside"));
  symlinkSync("src/new", join(workspace, "to-new-inside"));
  symlinkSync("to-src/../../../planted", join(workspace, "to-planted"));
  symlinkSync("circle", join(workspace, "circle"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const text = { type: "string" };
const at = (must?: PathArgument["must"]) =>
  tool(
    "touch",
    { type: "object", properties: { path: text, all: { type: "array", items: text } } },
    {
      paths: [
        { argument: "path", must },
        { argument: "all", must },
      ],
    },
  );

it.each([
  "src/a.txt",
  ".",
  "./src",
  "src/../src/a.txt",
  "to-file",
  "to-src/a.txt",
  "new/file",
  "to-new-inside",
  "..name",
  "a\\b",
  "src/to-work/src",
])("lets a path in the workspace through: %s", async (path) =>
  expect(short(await checked(at(), { path }, { workspace }))).toEqual({ path }),
);

it.each([
  "../secret",
  "..",
  "src/../../secret",
  "src/to-work/../secret",
  "to-secret",
  "to-root/secret",
  "to-root/not/yet",
  "to-new-outside",
  "to-planted",
  "circle",
  "circle/x",
  "src/a.txt/x",
  "../workshop/x",
  "/etc/passwd",
  "~/x",
  "~",
  "file:///etc/passwd",
  "C:\\x",
  "\\\\host\\x",
  "a\0b",
  "",
])("stops a path that leads out, or nowhere: %j", async (path) => {
  expect(short(await checked(at(), { path }, { workspace }))).toEqual(["path /path"]);
  expect(short(await checked(at(), { all: ["src", path] }, { workspace }))).toEqual(["path /all/1"]);
});

it("stops a path longer than any", async () => {
  const [error = ""] = said(await checked(at(), { path: "x/".repeat(9_000) }, { workspace }));
  expect(error).toContain(`"path" leads nowhere that can be reached`);
  expect(error.length).toBeLessThan(200);
});

it("says how an absolute path in the workspace is written", async () => {
  const path = join(workspace, "src", "a.txt");
  expect(said(await checked(at(), { path }, { workspace }))[0]).toContain(`: write "src/a.txt".`);
});

it.each([
  ["exist", "src/a.txt", true],
  ["exist", "src", true],
  ["exist", "none", false],
  ["be_file", "to-file", true],
  ["be_file", "src", false],
  ["be_file", "none", false],
  ["be_directory", "to-src", true],
  ["be_directory", "src/a.txt", false],
  ["be_directory", "none", false],
  ["any", "none", true],
] as const)("must %s: %s", async (must, path, ok) => {
  expect((await checked(at(must), { path }, { workspace })).ok).toBe(ok);
});

it("stops everything where places cannot be told", async () => {
  const places = { find: async () => undefined };
  expect(short(await checked(at(), { path: "src" }, { workspace, places }))).toEqual(["path /path"]);
  const broken = { find: () => Promise.reject(new Error("lost")) };
  expect((await checked(at(), { path: "src" }, { workspace, places: broken })).ok).toBe(false);
});
