import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/host/clock.ts";
import { places } from "../../src/host/places.ts";
import { plainSandbox } from "../../src/host/plain-sandbox.ts";
import { hostProcesses } from "../../src/host/processes.ts";
import { shellArgv, shellEnv } from "../../src/host/shell-env.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { hostWeb } from "../../src/host/web.ts";
import { createRetriever } from "../../src/retrieval/retriever.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { createGuard } from "../../src/services/tools/guard.ts";
import { builtinTools } from "../../src/tools/builtins.ts";
import { type Tree, tree } from "./support.ts";

function builtins(t: Tree) {
  const sandbox = plainSandbox({ requested_backend: "none", reason: "A test." });
  return builtinTools({
    files: t.files,
    retriever: createRetriever({ files: t.files, clock: systemClock }),
    shell: { processes: hostProcesses, sandbox, argv: shellArgv(), env: shellEnv(process.env) },
    web: hostWeb(),
    clock: systemClock,
  });
}

/** A call as a model makes it: through the guard, then run. */
function caller(t: Tree) {
  const gateway = createToolGateway({
    sources: [builtins(t)],
    check: createGuard({ places }),
    timers: systemTimers,
    stopwatch: () => performance.now(),
  });
  return async (name: string, args: Record<string, unknown>) => {
    const call = { tool_call_id: "call_1", name, arguments: JSON.stringify(args) };
    const guarded = await gateway.check(call, t.workspace);
    if (!guarded.ok) return { refused: guarded.faults.map(({ kind }) => kind) };
    return gateway.run(guarded.call, t.context());
  };
}

describe("the built-in tools", () => {
  it("declare what the issue asks for", () => {
    using t = tree();
    const facts = builtins(t)
      .tools()
      .map(({ spec, access, effect, parallel, kind }) => [spec.name, access, effect, parallel, kind ?? null]);
    expect(facts).toEqual([
      ["read_file", "read", "none", true, null],
      ["write_file", "write", "idempotent", false, "file_edit"],
      ["edit_file", "write", "once", false, "file_edit"],
      ["list_files", "read", "none", true, null],
      ["local_search", "read", "none", true, null],
      ["retrieve", "read", "none", true, null],
      ["shell", "write", "once", false, "shell"],
      ["web_fetch", "read", "none", true, "network"],
      ["update_tasks", "read", "idempotent", false, "tasks"],
      ["delegate", "read", "idempotent", true, "delegation"],
    ]);
  });

  it("have closed schemas in which everything is described, and paths and checks that name arguments", () => {
    using t = tree();
    for (const { spec, paths = [], timeoutMs } of builtins(t).tools()) {
      new Ajv2020({ strict: true, allowUnionTypes: true }).compile(spec.parameters);
      const { properties, additionalProperties } = spec.parameters as {
        properties: Record<string, { description?: string }>;
        additionalProperties: unknown;
      };
      expect(additionalProperties).toBe(false);
      expect(spec.description.length).toBeGreaterThan(40);
      for (const property of Object.values(properties))
        expect(property.description).toEqual(expect.any(String));
      for (const { argument } of paths) expect(properties).toHaveProperty(argument);
      expect(timeoutMs).toBeGreaterThan(0);
    }
  });

  it("work together, through the guard", async () => {
    using t = tree();
    const run = caller(t);
    expect(await run("write_file", { path: "src/a.txt", content: "hello\n" })).toMatchObject({
      status: "ok",
    });
    expect(await run("read_file", { path: "src/a.txt" })).toMatchObject({ told: "hello" });
    expect(await run("edit_file", { path: "src/a.txt", old_text: "hello", new_text: "bye" })).toMatchObject({
      status: "ok",
    });
    expect(await run("shell", { command: "cat src/a.txt" })).toMatchObject({
      status: "ok",
      told: "Exit code 0. Output:\nbye\n",
      children: [{ ended: "exited 0" }],
    });
    expect(await run("local_search", { query: "BYE" })).toMatchObject({
      outcome_type: "ToolExecutionResult",
      result: { chunks: [{ path: "src/a.txt", line: 1, text: "bye" }] },
    });
    expect(await run("list_files", { pattern: "*.txt" })).toMatchObject({ told: "src/a.txt" });
    expect(await run("update_tasks", { tasks: [{ id: "1", title: "x", status: "pending" }] })).toMatchObject({
      events: [{ type: "runtime.task.list" }],
    });
    expect(await run("shell", { command: "exit 2" })).toMatchObject({
      status: "error",
      outcome_type: "ToolError",
    });
    expect(await run("shell", { command: "sleep 30", timeout_ms: 50 })).toMatchObject({
      status: "timeout",
      outcome_type: "ToolTimeout",
      children: [{ ended: "killed SIGTERM" }],
    });
    expect(await run("shell", { command: "seq 1 100000" })).toMatchObject({
      status: "artifact",
      outcome_type: "ToolArtifact",
    });
    expect(await run("web_fetch", { url: "http://169.254.169.254/" })).toMatchObject({ status: "error" });
  });

  it("are not run with bad calls", async () => {
    using t = tree();
    const run = caller(t);
    t.put("a", "x");
    expect(await run("write_file", { path: "../out", content: "x" })).toEqual({ refused: ["path"] });
    expect(await run("read_file", { path: "/etc/passwd" })).toEqual({ refused: ["path"] });
    expect(await run("edit_file", { path: "a", old_text: "x", new_text: "x" })).toEqual({
      refused: ["semantic"],
    });
    expect(await run("web_fetch", { url: "file:///etc/passwd" })).toEqual({ refused: ["semantic"] });
    expect(await run("local_search", { query: "(", regex: true })).toEqual({ refused: ["semantic"] });
    expect(await run("shell", { command: "true", cwd: "/" })).toEqual({ refused: ["extra"] });
    expect(existsSync(join(t.outside, "out"))).toBe(false);
    expect(readFileSync(join(t.workspace, "a"), "utf8")).toBe("x");
  });
});
