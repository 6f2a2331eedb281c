import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/ports/tool.ts";
import { createSelection } from "../../src/services/tools/selection.ts";

function tool(name: string, description: string, parameters: readonly string[] = [], origin = "mcp:x"): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: "string" }]));
  return {
    spec: { name, description, parameters: { type: "object", properties } },
    access: "read",
    effect: "none",
    timeoutMs: 1,
    parallel: true,
    origin,
    run: async () => ({ result: null }),
  };
}

const filler = Array.from({ length: 60 }, (_, i) => tool(`filler_${i}`, `Counts sheep in meadow ${i}`));
const tools = [
  tool("read_file", "Reads a file", ["path"], "builtin"),
  tool("shell", "Runs a command", ["command"], "builtin"),
  ...filler,
  tool("github__createIssue", "Opens a new issue in a repository", ["title", "body"]),
  tool("calendar__add", "Adds an appointment", ["attendees"]),
  tool("mail__send", "Sends an electronic letter", ["recipient"]),
];
const names = (offer: { tools: readonly Tool[] }) => offer.tools.map(({ spec }) => spec.name);

describe("offered tools", () => {
  it("are all of them while they are few", () => {
    const few = tools.slice(0, 24);
    expect(createSelection(24)(few, "anything", [])).toEqual({ tools: few, method: "all", scores: {} });
  });

  it("are ranked by BM25 over name, description and parameters when they are many", () => {
    const select = createSelection(8);
    const offer = select(tools, "please create an issue about the crash", []);
    expect(offer.method).toBe("bm25");
    expect(names(offer)).toContain("github__createIssue");
    expect(offer.scores["github__createIssue"]).toBeGreaterThan(0);
    expect(names(select(tools, "who are the attendees?", []))).toContain("calendar__add");
    expect(names(select(tools, "send it", []))).toContain("mail__send");
    expect(names(offer).length).toBeLessThanOrEqual(8);
    expect(Object.keys(offer.scores).toSorted()).toEqual(names(offer).toSorted());
  });

  it("always have the core and what was used before, and keep the list's order", () => {
    const offer = createSelection(4)(tools, "sheep meadow", ["mail__send", "no_such_tool"]);
    expect(names(offer)).toEqual(expect.arrayContaining(["read_file", "shell", "mail__send"]));
    expect(names(offer)).toHaveLength(4);
    const order = tools.map(({ spec }) => spec.name);
    expect(names(offer)).toEqual(names(offer).toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  it("are the core alone when nothing fits, and a hostile query harms nobody", () => {
    const select = createSelection(8);
    expect(names(select(tools, "zzz qqq", []))).toEqual(["read_file", "shell"]);
    for (const query of ["", " ", "\u0000".repeat(10), "(".repeat(10_000), "word ".repeat(100_000)])
      expect(names(select(tools, query, []))).toContain("read_file");
  });

  it("prefers the tool whose name says it over one that mentions it", () => {
    const many = [
      ...filler,
      tool("weather", "Gives a forecast"),
      tool("other", "Not about weather at all, about sheep"),
    ];
    const { scores } = createSelection(3)(many, "weather", []);
    expect(scores["weather"]).toBeGreaterThan(scores["other"] ?? 0);
  });
});
