import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { systemTimers } from "../../src/host/timers.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { toolNames } from "../../src/tools/mcp/names.ts";
import { type McpSource, mcpSource } from "../../src/tools/mcp/source.ts";
import type { McpServer } from "../../src/tools/mcp/types.ts";
import { httpServer } from "./mcp-http-server.ts";
import { context } from "./support.ts";

const STDIO = fileURLToPath(new URL("./mcp-stdio-server.ts", import.meta.url));
const stdio: McpServer = { name: "test", command: [process.execPath, STDIO] };

interface World extends AsyncDisposable {
  readonly source: McpSource;
  readonly said: string[];
  run(
    tool: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): ReturnType<ReturnType<typeof createToolGateway>["run"]>;
  names(): readonly string[];
}

async function world(server: McpServer, env: Record<string, string> = {}): Promise<World> {
  const said: string[] = [];
  const source = mcpSource(server, {
    env,
    baseEnv: { PATH: process.env["PATH"] ?? "" },
    cwd: process.cwd(),
    version: "0.0.0",
    stopwatch: () => performance.now(),
    report: (problem) => said.push(problem),
  });
  const gateway = createToolGateway({
    sources: [source],
    check: async () => ({ ok: false, faults: [{ kind: "schema", at: "", error: "unused" }] }),
    timers: systemTimers,
    stopwatch: () => performance.now(),
    limits: { graceMs: 3_000 },
  });
  await source.ready();
  return {
    source,
    said,
    run: (name, args = {}, signal) =>
      gateway.run(
        { tool_call_id: "call_1", name: `test__${name}`, arguments: args, repairs: [] },
        context("/", signal),
      ),
    names: () => gateway.tools().map(({ spec }) => spec.name),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** Until it holds; a test that never sees it ends by its own timeout. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

describe.each(["stdio", "http"] as const)("MCP over %s", { timeout: 60_000 }, (kind) => {
  /** The same server behind each transport. */
  async function start(more: Partial<McpServer> = {}) {
    const http = kind === "http" ? await httpServer() : undefined;
    const made = await world(
      http === undefined ? { ...stdio, ...more } : { name: "test", url: http.url, ...more },
    );
    return {
      ...made,
      async [Symbol.asyncDispose]() {
        await made[Symbol.asyncDispose]();
        await http?.[Symbol.asyncDispose]();
      },
    };
  }

  it("lists tools with names for models, and takes each for the worst whatever it says of itself", async () => {
    await using w = await start({ reads: ["put", "nowhere"] });
    const by = Object.fromEntries(w.source.tools().map((tool) => [tool.spec.name, tool]));
    const kinds = (name: string) => `${by[name]?.access} ${by[name]?.effect} ${by[name]?.parallel}`;
    expect(kinds("test__echo")).toBe("write once false");
    expect(kinds("test__liar")).toBe("write once false");
    expect(kinds("test__put")).toBe("read none true");
    expect(w.said).toEqual(["test has no tool nowhere, which `reads` names."]);
  });

  it("believes hints where the user does, and takes what is not said for the worst", async () => {
    await using w = await start({ trust_hints: true });
    const by = Object.fromEntries(w.source.tools().map((tool) => [tool.spec.name, tool]));
    expect(Object.keys(by)).toContain("test__unknown_effect");
    const facts = (name: string) => {
      const { access, effect, parallel, origin } = by[name] ?? {};
      return { access, effect, parallel, origin };
    };
    const origin = "mcp:test";
    expect(facts("test__echo")).toEqual({ access: "read", effect: "none", parallel: true, origin });
    expect(facts("test__put")).toEqual({ access: "write", effect: "idempotent", parallel: false, origin });
    expect(facts("test__fails")).toEqual({ access: "write", effect: "once", parallel: false, origin });
    expect(facts("test__liar")).toEqual({ access: "write", effect: "once", parallel: false, origin });
    expect(by["test__echo"]?.spec.parameters).toMatchObject({ type: "object", required: ["say"] });
  });

  it("calls, also by a name that was changed for models", async () => {
    await using w = await start();
    expect(await w.run("echo", { say: "hello" })).toMatchObject({
      status: "ok",
      told: "hello",
      result: { content: [{ type: "text", text: "hello" }] },
    });
    expect((await w.run("unknown_effect")).told).toBe("odd");
  });

  it("gives a tool that may be repeated the same key at every try, and no other tool any", async () => {
    await using w = await start({ trust_hints: true });
    const key = `put {"fairlead/idempotencyKey":"ses_1/call_1"}`;
    expect([(await w.run("put")).told, (await w.run("put")).told]).toEqual([key, key]);
    expect((await w.run("once")).told).toBe("once {}");
    // Where nobody believes the server, each of its tools is done once.
    await using unsure = await start();
    expect((await unsure.run("put")).told).toBe("put {}");
  });

  it("tells of errors: said by the tool, thrown in it, or bad arguments", async () => {
    await using w = await start();
    expect(await w.run("fails")).toMatchObject({
      status: "error",
      outcome_type: "ToolError",
      told: "it did not work",
    });
    expect((await w.run("throws")).told).toContain("inside");
    expect((await w.run("echo", { say: 3 })).status).toBe("error");
  });

  it("takes several parts: texts are told, binary becomes artifacts", async () => {
    await using w = await start();
    const done = await w.run("parts");
    expect(done.status).toBe("ok");
    expect(done.told.split("\n\n")).toEqual([
      "first",
      "(image/png of 7 bytes, kept as artifact art_call_1_1.)",
      "file:///a.txt:\ninner",
      "(application/octet-stream of 4 bytes, kept as artifact art_call_1_3.)",
      "(A link to doc: https://example.com/doc)",
      "last",
    ]);
    expect(done.events).toMatchObject([
      {
        data: {
          artifact: {
            id: "art_call_1_1",
            mime_type: "image/png",
            content: Buffer.from("picture").toString("base64"),
          },
        },
      },
      { data: { artifact: { id: "art_call_1_3", encoding: "base64" } } },
    ]);
    expect(JSON.stringify(done.result)).not.toContain(Buffer.from("picture").toString("base64"));
  });

  it("takes structures, nothing, and what is large or too large", async () => {
    await using w = await start();
    expect(await w.run("structured")).toMatchObject({ told: '{"n":7}', result: { structured: { n: 7 } } });
    expect((await w.run("empty")).told).toBe("(No content.)");
    expect(await w.run("large")).toMatchObject({ status: "artifact", outcome_type: "ToolArtifact" });
    const huge = await w.run("huge_image");
    expect(huge.told).toBe("(image/png of 9000000 bytes, too large to be kept.)");
    expect(huge.events).toEqual([]);
  });

  it("ends a call at its timeout and at a cancel", async () => {
    await using w = await start({ timeout_ms: 300 });
    expect(await w.run("slow")).toMatchObject({ status: "timeout", outcome_type: "ToolTimeout" });
    const abort = new AbortController();
    const running = w.run("slow", {}, abort.signal);
    abort.abort();
    expect(await running).toMatchObject({ status: "error", error: "Cancelled." });
    expect((await w.run("echo", { say: "still here" })).status).toBe("ok");
  });

  it("sees tools that the server adds later", async () => {
    await using w = await start();
    expect(w.names()).not.toContain("test__grown");
    await w.run("grow");
    await until(() => w.names().includes("test__grown"));
    expect((await w.run("grown")).told).toBe("grown");
  });
});

describe("an MCP server that is not there", { timeout: 60_000 }, () => {
  it("that dies in a call gives an error, and is started again for the next", async () => {
    await using w = await world(stdio);
    expect((await w.run("die")).error).toBe(
      "The connection to test was lost while die ran. It may have been done or not.",
    );
    expect(w.names()).toContain("test__echo");
    expect((await w.run("echo", { say: "again" })).told).toBe("again");
  });

  it("is reported with what it said, and not asked again at once", async () => {
    await using w = await world({ name: "test", command: [process.execPath, STDIO, "--broken"] });
    expect(w.names()).toEqual([]);
    expect(w.said).toHaveLength(1);
    expect(w.said[0]).toContain("The server test does not answer");
    expect(w.said[0]).toContain("no configuration found");
    await w.source.ready();
    expect(w.said).toHaveLength(1);
  });

  it("is reported when there is no such command, or nobody listens", async () => {
    await using a = await world({ name: "test", command: ["/no/such/command"] });
    expect(a.said[0]).toContain("ENOENT");
    await using b = await world({ name: "test", url: "http://127.0.0.1:1/mcp" });
    expect(b.said[0]).toContain("The server test does not answer");
  });

  it("over HTTP: is found again after it restarted and forgot our session", async () => {
    const first = await httpServer();
    await using w = await world({ name: "test", url: first.url });
    expect((await w.run("echo", { say: "1" })).told).toBe("1");
    await first[Symbol.asyncDispose]();
    expect((await w.run("echo", { say: "2" })).error).toMatch(
      /The server test does not answer|was lost while echo ran/,
    );
    await using _second = await httpServer(first.port);
    await until(() => w.names().includes("test__echo"));
    let told = "";
    for (let tries = 0; tries < 200 && told !== "3"; tries++) {
      told = (await w.run("echo", { say: "3" })).told;
      if (told !== "3") await sleep(50);
    }
    expect(told).toBe("3");
  });

  it("is closed, and then neither started nor called", async () => {
    const w = await world(stdio);
    await w[Symbol.asyncDispose]();
    expect((await w.run("echo", { say: "x" })).error).toBe("The server test was closed.");
  });
});

describe("what an MCP server is given", { timeout: 60_000 }, () => {
  it("is only the environment that was configured", async () => {
    await using w = await world(
      { ...stdio, env: { PLAIN: "p", TOKEN: "Bearer ${MY_TOKEN}" } },
      { MY_TOKEN: "t0ken", OTHER_SECRET: "s3cret" },
    );
    const seen = JSON.parse((await w.run("environment")).told) as Record<string, string>;
    expect(seen).toMatchObject({ PLAIN: "p", TOKEN: "Bearer t0ken" });
    expect(seen).not.toHaveProperty("OTHER_SECRET");
    expect(seen).not.toHaveProperty("VITEST");
  });

  it("is the headers that were configured, from the environment", async () => {
    await using http = await httpServer();
    await using w = await world(
      { name: "test", url: http.url, headers_env: { authorization: "MY_HEADER" } },
      { MY_HEADER: "Bearer abc" },
    );
    expect((await w.run("echo", { say: "x" })).status).toBe("ok");
    expect(http.headers.every(({ authorization }) => authorization === "Bearer abc")).toBe(true);
  });

  it("is nothing when a variable is missing: that is said by name", async () => {
    await using w = await world({ ...stdio, env: { T: "${NOT_SET}" } });
    expect(w.said[0]).toContain("The environment variable NOT_SET is not set.");
  });
});

describe("names for models", () => {
  it("are safe, unique and short enough", () => {
    const long = "x".repeat(100);
    const names = toolNames("git hub", ["a.b", "a/b", "plain", long, `${long}y`]);
    expect(names.get("plain")).toBe("git_hub__plain");
    expect(new Set(names.values()).size).toBe(5);
    for (const name of names.values()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(toolNames("git hub", ["a.b", "a/b", "plain", long, `${long}y`])).toEqual(names);
  });
});
