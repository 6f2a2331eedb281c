import { describe, expect, it } from "vitest";
import type { Tool } from "../../ports/tool.ts";
import { riskOf, shownFor } from "./shown.ts";
import { askedOf } from "./types.ts";

function tool(some: Partial<Tool>): Tool {
  return {
    spec: { name: "tool", description: "", parameters: {} },
    access: "write",
    effect: "once",
    timeoutMs: 1,
    parallel: false,
    origin: "builtin",
    run: () => Promise.reject(new Error("not run")),
    ...some,
  };
}

const SHELL = tool({ kind: "shell", spec: { name: "shell", description: "", parameters: {} } });
const WRITE = tool({ kind: "file_edit", effect: "idempotent", paths: [{ argument: "path" }] });
const READ = tool({ access: "read", effect: "none", paths: [{ argument: "path" }] });
const risk = (one: Tool, args: object) => riskOf(one, askedOf(one, { ...args }));

describe("what a person is shown", () => {
  it("is the whole call, what it would change, and why it is asked", () => {
    const args = { path: "a.txt", content: "x".repeat(10_000) };
    const repairs = [{ error: "`path` was a number." }];
    expect(shownFor({ arguments: args, repairs }, WRITE, { diff: "+x" }, "It writes.")).toEqual({
      tool: "tool",
      from: "builtin",
      kind: "file_edit",
      effect: "idempotent",
      arguments: args,
      reason: "It writes.",
      diff: "+x",
      repairs: ["`path` was a number."],
    });
    expect(shownFor({ arguments: {} }, tool({ origin: "mcp:x" }), {}, "Why.")).toEqual({
      tool: "tool",
      from: "mcp:x",
      effect: "once",
      arguments: {},
      reason: "Why.",
    });
  });

  it.each([
    ["git status", "low"],
    ["ls -la | grep x", "low"],
    ["ls 2>/dev/null", "low"],
    ["npm test", "medium"],
    ["echo x > f", "medium"],
    ["git commit -m x", "medium"],
    ["git push", "high"],
    ["git reset --hard", "high"],
    ["rm a.txt", "high"],
    ["curl https://x.test", "high"],
    ["ls; rm a", "high"],
    ["echo $(rm a)", "high"],
    ["find . -delete", "high"],
    ["git status '", "high"],
    ["", "high"],
    ["$X", "high"],
    ["rm -rf /", "critical"],
    ["rm -rf ~/x", "critical"],
    ["sudo ls", "critical"],
    ["ls && sudo rm x", "critical"],
  ])("with a risk: %j is %s", (command, expected) => {
    expect(risk(SHELL, { command })).toBe(expected);
  });

  it("is bound to what the tool would change, where it can show that", () => {
    const shows = { ...WRITE, preview: async () => ({}) };
    const hashOf = (one: Tool, preview: { diff?: string }) =>
      shownFor({ arguments: {} }, one, preview, "").preview_hash;
    expect(hashOf(shows, { diff: "+x" })).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(shows, { diff: "+x" })).not.toBe(hashOf(shows, { diff: "+y" }));
    expect(hashOf(shows, {})).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(WRITE, {})).toBeUndefined();
  });

  it("with a risk by what the tool touches", () => {
    expect(risk(SHELL, { command: ["ls"] })).toBe("high");
    expect(risk(WRITE, { path: "src/a.ts" })).toBe("medium");
    expect(risk(WRITE, { path: ".git/hooks/pre-commit" })).toBe("high");
    expect(risk(WRITE, { path: "src/.env.local" })).toBe("high");
    expect(risk(WRITE, { path: "../x" })).toBe("high");
    expect(risk(READ, { path: "src/a.ts" })).toBe("low");
    expect(risk(READ, { path: "deploy/key.pem" })).toBe("high");
    expect(risk(tool({ origin: "mcp:x" }), {})).toBe("high");
    expect(risk(tool({ origin: "mcp:x", effect: "idempotent" }), {})).toBe("medium");
    expect(risk(tool({ kind: "tasks" }), {})).toBe("low");
    expect(risk(tool({ kind: "network", access: "read" }), { url: "https://x.test" })).toBe("medium");
  });
});
