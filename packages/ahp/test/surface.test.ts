import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { describe, expect, it } from "vitest";

import { fileOf } from "./run.ts";

/** Every module that an entry reaches, and every package or builtin that they import. */
function reach(entry: string): { files: Set<string>; outside: Set<string> } {
  const files = new Set<string>();
  const outside = new Set<string>();
  const queue = [fileOf(entry)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const source = readFileSync(file, "utf8");
    const imports = source.matchAll(
      /^(?:import|export)\s(?!type\s)[^;]*?from "([^"]+)"|import\("([^"]+)"\)/gm,
    );
    for (const [, named, lazy] of imports) {
      const target = named ?? lazy ?? "";
      if (target.startsWith(".")) queue.push(resolve(dirname(file), target));
      else outside.add(target);
    }
  }
  return { files, outside };
}

describe("the root entry", () => {
  it("runs in a browser: it reaches zod and nothing else", () => {
    const { files, outside } = reach("src/index.ts");
    expect([...outside]).toEqual(["zod"]);
    expect(files.size).toBeGreaterThan(40);
  });

  it("uses no global of Node", () => {
    for (const file of reach("src/index.ts").files) {
      const code = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      expect(code).not.toMatch(/(?<![-\w])(process|Buffer|setImmediate|require|__dirname)\b[.(]/);
    }
  });

  it("so does what a browser gets of the WebSocket transport", () => {
    expect([...reach("src/websocket/browser.ts").outside]).toEqual(["zod"]);
  });

  it("the check can fail: the Node entry reaches Node", () => {
    expect([...reach("src/unix/index.ts").outside]).toContain("node:net");
  });
});

describe("ws", () => {
  it("is only reached by the WebSocket server, when it is asked for", () => {
    for (const entry of ["stdio", "unix", "http", "url"]) {
      expect([...reach(`src/${entry}/index.ts`).outside]).not.toContain("ws");
    }
    expect([...reach("src/websocket/index.ts").outside]).toContain("ws");
    const importers = [...reach("src/websocket/index.ts").files].filter((file) =>
      /^import \{[^}]*\} from "ws"/m.test(readFileSync(file, "utf8")),
    );
    expect(importers).toEqual([]);
  });
});

describe("public names", () => {
  it.each([
    ["root", () => import("@fairlead/ahp")],
    ["stdio", () => import("@fairlead/ahp/stdio")],
    ["unix", () => import("@fairlead/ahp/unix")],
    ["http", () => import("@fairlead/ahp/http")],
    ["websocket", () => import("@fairlead/ahp/websocket")],
    ["url", () => import("@fairlead/ahp/url")],
    ["conformance", () => import("@fairlead/ahp/conformance")],
  ])("%s exports what it did", async (name, load) => {
    expect(Object.keys(await load()).toSorted()).toMatchSnapshot(name);
  });
});
