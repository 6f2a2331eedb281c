import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { permitOf } from "../../src/domain/approval/mode.ts";
import { matchesPattern, parsePattern } from "../../src/domain/approval/pattern.ts";
import type { Asked, Modes } from "../../src/domain/approval/types.ts";

const PAGE = readFileSync(new URL("../../../../docs/approvals.md", import.meta.url), "utf8");
const codes = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "");
const rows = [...PAGE.matchAll(/^\| (.*) \|$/gm)].map(([, line = ""]) => line.split(" | "));

function callOf(tool: string, text: string): Asked {
  if (tool === "shell") return { name: tool, kind: "shell", arguments: { command: text } };
  if (tool === "web_fetch") return { name: tool, kind: "network", arguments: { url: text } };
  return { name: tool, paths: ["path"], arguments: { path: text } };
}

describe("the page about approvals", () => {
  const patterns = rows.filter(([first = ""]) => /^`[a-z_]+: /.test(first));

  it.each(patterns)("is right about %s", (cell, allowed, refused) => {
    const read = parsePattern(codes(cell)[0] ?? "");
    if (!read.ok) throw new Error(read.error);
    const { pattern } = read;
    const fits = (text: string) => matchesPattern(pattern, callOf(pattern.tool, text));
    expect(codes(allowed)).not.toEqual([]);
    expect(codes(allowed).filter((text) => !fits(text))).toEqual([]);
    expect(codes(refused)).not.toEqual([]);
    expect(codes(refused).filter(fits)).toEqual([]);
  });

  it("is right about the modes", () => {
    expect(patterns).toHaveLength(8);
    const modes = rows.filter(([first = ""]) => /^`(plan|normal|accept_edits|full_access)`/.test(first));
    expect(modes).toHaveLength(4);
    const spec = { name: "tool", description: "", parameters: {} };
    for (const [name, ...cells] of modes) {
      const permission_mode = codes(name)[0] as Modes["permission_mode"];
      const kinds = [
        { access: "read", spec },
        { access: "read", kind: "network", spec },
        { access: "write", kind: "file_edit", spec },
        { access: "write", kind: "shell", spec },
      ] as const;
      const said = kinds.map((tool) => permitOf({ permission_mode, approval_mode: "on_request" }, tool).kind);
      const meant = { run: "run", open: "ask", denied: "deny" } as Record<string, string>;
      expect(said).toEqual(cells.map((cell) => meant[cell.trim()]));
    }
  });
});
