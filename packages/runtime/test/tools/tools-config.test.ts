import { describe, expect, it } from "vitest";
import { ALL_PARTS } from "../../src/domain/guard/types.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";

describe("the configuration of tools", () => {
  it("has defaults for everything", () => {
    expect(ToolsConfig.parse({})).toEqual({
      disable: [],
      modules: [],
      guard: ALL_PARTS,
      mcp: [],
      web: { allow_hosts: [] },
      sandbox: { mode: "auto", network: "deny" },
      offer_limit: 24,
    });
  });

  it("has every part of the guard unless one is left out, and knows no others", () => {
    expect(ToolsConfig.parse({}).guard).toEqual(ALL_PARTS);
    expect(ToolsConfig.parse({ guard: { coerce: false } }).guard).toEqual({ ...ALL_PARTS, coerce: false });
    expect(ToolsConfig.safeParse({ guard: { coercion: false } }).success).toBe(false);
    expect(ToolsConfig.safeParse({ guard: { coerce: "no" } }).success).toBe(false);
  });

  it("takes servers of both kinds", () => {
    const mcp = [
      { name: "files", command: ["npx", "server"], env: { TOKEN: "${MY_TOKEN}" } },
      {
        name: "remote",
        url: "https://example.com/mcp",
        headers_env: { Authorization: "REMOTE_AUTH" },
        timeout_ms: 5,
        trust_hints: true,
        reads: ["look"],
      },
    ];
    expect(ToolsConfig.parse({ mcp, web: { allow_hosts: ["localhost:8080"] } }).mcp).toEqual([
      { ...mcp[0], timeout_ms: 60_000, trust_hints: false, reads: [] },
      mcp[1],
    ]);
  });

  it.each([
    ["neither command nor url", { name: "a" }, "Give `command` or `url`"],
    ["both", { name: "a", command: ["x"], url: "http://x" }, "Give `command` or `url`"],
    ["an address of another kind", { name: "a", url: "ftp://x" }, "begins with http://"],
    ["a name that would not be safe", { name: "a b", command: ["x"] }, "A name has letters"],
    ["an empty command", { name: "a", command: [] }, "mcp"],
    [
      "a secret in place of its variable",
      { name: "a", url: "http://x", headers_env: { A: "Bearer x" } },
      "not its value",
    ],
    [
      "headers of a command",
      { name: "a", command: ["x"], headers_env: { A: "B" } },
      "Only a url has headers",
    ],
    [
      "an environment of a url",
      { name: "a", url: "http://x", env: { A: "B" } },
      "Only a command has an environment",
    ],
    ["an unknown field", { name: "a", command: ["x"], token: "x" }, "token"],
  ])("refuses a server with %s", (_, server, message) => {
    const read = ToolsConfig.safeParse({ mcp: [server] });
    expect(read.success).toBe(false);
    expect(JSON.stringify(read.error?.issues)).toContain(message);
  });

  it("refuses two servers of one name, a host with a path, and limits that make no sense", () => {
    const one = { name: "a", command: ["x"] };
    expect(ToolsConfig.safeParse({ mcp: [one, one] }).error?.issues[0]?.message).toBe(
      "There are two servers a.",
    );
    for (const bad of [
      { web: { allow_hosts: ["http://x/y"] } },
      { offer_limit: 0 },
      { modules: [""] },
      { sandbox: { mode: "docker" } },
      { sandbox: { network: true } },
      { extra: 1 },
    ])
      expect(ToolsConfig.safeParse(bad).success).toBe(false);
  });
});
