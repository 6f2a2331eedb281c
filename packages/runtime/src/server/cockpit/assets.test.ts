import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chooseEncoding } from "./assets.ts";
import { loadCockpit } from "./load.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-assets-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (...names: readonly ("br" | "gzip")[]) => ({
  type: "text/css",
  etag: '"x"',
  immutable: true,
  bodies: {
    identity: Buffer.from("a"),
    ...Object.fromEntries(names.map((name) => [name, Buffer.from("b")])),
  },
});

test.each([
  [undefined, "identity"],
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.0, gzip; q=0", "identity"],
  ["BR", "br"],
  ["*", "identity"],
])("a client that takes %j gets %s", (header, encoding) => {
  expect(chooseEncoding(header, file("br", "gzip"))).toBe(encoding);
});

test("what was not packed is sent as it is", () =>
  expect(chooseEncoding("br, gzip", file())).toBe("identity"));

test("only what a page is made of is served, and a directory without a page is refused", () => {
  expect(() => loadCockpit(directory)).toThrow("ENOENT");
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html>");
  writeFileSync(join(directory, "assets", "a-1.js"), "1");
  writeFileSync(join(directory, "assets", "a-1.js.br"), "packed");
  writeFileSync(join(directory, "assets", "notes.txt"), "not for the page");
  const { document, files } = loadCockpit(directory);
  expect([...files.keys()]).toEqual(["a-1.js"]);
  expect(files.get("a-1.js")?.bodies.br?.toString()).toBe("packed");
  expect(document).toMatchObject({ type: "text/html; charset=utf-8", immutable: false });
});
