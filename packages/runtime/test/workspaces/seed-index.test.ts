import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyIndex } from "../../src/workspaces/git/seed-index.ts";
import { temporary } from "./support.ts";

test.each([0.0004, 0.0006, 0.9999, 0.25])(
  "a copy of an index is never younger than it: %d s",
  async (part) => {
    const dir = temporary();
    const [theirs, ours] = [join(dir, "theirs"), join(dir, "ours")];
    writeFileSync(theirs, "x");
    utimesSync(theirs, 1_700_000_000 + part, 1_700_000_000 + part);
    await copyIndex(theirs, ours);
    const [age, copied] = [theirs, ours].map((file) => statSync(file, { bigint: true }).mtimeNs);
    expect(copied).toBeLessThanOrEqual(age ?? 0n);
    expect(copied).toBeGreaterThan((age ?? 0n) - 2_000_000n);
  },
);
