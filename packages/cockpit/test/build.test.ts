import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildCockpit } from "../build.ts";

it("is built for whoever serves it, not for who built it alone", async () => {
  const built = await buildCockpit();
  for (const path of [built, join(built, "assets"), join(built, "index.html")])
    expect(statSync(path).mode & 0o005, path).toBe(statSync(path).isDirectory() ? 0o005 : 0o004);
}, 120_000);
