import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DELEGATION_LIMITS, delegationLimits } from "../../src/domain/delegation/limits.ts";
import { readOrder } from "../../src/domain/delegation/order.ts";
import { compilePolicy } from "../../src/domain/policy/compile.ts";
import { loadConfig } from "../../src/host/config-file.ts";
import { temporaryFolder } from "../stores.ts";

const PAGE = readFileSync(new URL("../../../../docs/delegation.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);

function configFrom(text: string) {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.path, "fairlead.yaml"), text);
  return loadConfig({ cwd: folder.path });
}

describe("the page about delegation", () => {
  const [settings = "", rules = ""] = blocks("yaml");

  it("has settings that are read as they are written", () => {
    expect(delegationLimits(configFrom(settings).delegation)).toEqual({
      depth: 2,
      children: 4,
      childTokens: 200_000,
      childCostUsd: 2,
      childSteps: 50,
    });
  });

  it("has a rule and a call that are good", () => {
    expect(compilePolicy([{ path: "docs/delegation.md", text: rules }])).toMatchObject({ ok: true });
    expect(readOrder(JSON.parse(blocks("json")[0] ?? "") as never)).toMatchObject({ title: "callers" });
  });

  it.each(["max_depth: -1", "max_parallel: 0", "max_tokens: 0", "max_cost_usd: no", "depth: 2"])(
    "does not describe what is refused: %s",
    (line) => {
      expect(() => configFrom(`delegation:\n  ${line}\n`)).toThrow(/delegation/);
    },
  );

  it("needs no settings at all", () => {
    expect(delegationLimits(configFrom("{}\n").delegation)).toEqual({});
    expect(DELEGATION_LIMITS).toEqual({ depth: 2, children: 4 });
  });
});
