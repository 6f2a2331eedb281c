import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compilePolicy, readCases } from "../../src/policy.ts";

const PAGE = readFileSync(new URL("../../../../docs/policies.md", import.meta.url), "utf8");

it("every example of the page for users compiles", () => {
  const blocks = [...PAGE.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text ?? "");
  expect(blocks.length).toBeGreaterThan(4);
  for (const block of blocks) {
    const text = block.startsWith("  - id") || block.startsWith("- id") ? `rules:\n${block}` : block;
    const read = text.includes("cases:") ? readCases : compilePolicy;
    expect(read([{ path: "docs/policies.md", text }]), block).toMatchObject({ ok: true });
  }
});
