import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { openTools } from "../../src/open-tools.ts";
import { reasonToSkip, treeElsewhere } from "./sandbox-support.ts";

const reason = await reasonToSkip();

async function opened(sandbox: Partial<ToolsConfig["sandbox"]>, guard: Partial<ToolsConfig["guard"]> = {}) {
  const t = treeElsewhere();
  const data = join(t.workspace, ".fairlead");
  t.put(".fairlead/fairlead.db", "PRIVATE");
  t.put("notes.txt", "PRIVATE matters are kept in .fairlead\n");
  const problems: string[] = [];
  const tools = await openTools({
    config: ToolsConfig.parse({ sandbox, guard }),
    base: t.workspace,
    workspace: t.workspace,
    hidden: [data],
    fixed: [],
    env: { ...process.env, ANTHROPIC_API_KEY: "sk-PRIVATE" },
    timers: systemTimers,
    version: "0",
    report: (problem) => void problems.push(problem),
  });
  onTestFinished(async () => {
    await tools.close();
    t[Symbol.dispose]();
    expect(problems).toEqual([]);
  });
  async function call(name: string, args: Record<string, unknown>) {
    const guarded = await tools.check(
      { tool_call_id: "call_1", name, arguments: JSON.stringify(args) },
      t.workspace,
    );
    if (!guarded.ok) throw new Error(guarded.faults.map(({ error }) => error).join());
    return tools.run(guarded.call, t.context());
  }
  return { tools, call };
}

describe("tools as they are opened", () => {
  it("are guarded by the parts that the configuration leaves in", async () => {
    const whole = await opened({ mode: "none" });
    const asked = { path: "notes.txt", limit: "1" };
    expect(await whole.call("read_file", asked)).toMatchObject({ status: "ok" });
    await expect(whole.call("Read_File", { path: "notes.txt" })).resolves.toMatchObject({ status: "ok" });
    const strict = await opened({ mode: "none" }, { coerce: false, names: false });
    await expect(strict.call("read_file", asked)).rejects.toThrow(/limit/);
    await expect(strict.call("Read_File", { path: "notes.txt" })).rejects.toThrow(/Read_File/);
  });

  it("run commands without isolation only where that is said, and say so", async () => {
    const { tools, call } = await opened({ mode: "none" });
    expect(tools.isolation).toMatchObject({ requested_backend: "none", isolation: "none" });
    const { events } = await call("shell", { command: "true" });
    expect(events).toEqual([
      { type: "runtime.sandbox.notice", turn_id: "turn_1", data: { ...tools.isolation } },
    ]);
  });

  it.skipIf(reason !== undefined)(
    `hide our data in the workspace from every tool${reason ? `: ${reason}` : ""}`,
    async () => {
      const { tools, call } = await opened({});
      expect(tools.isolation).toMatchObject({ requested_backend: "auto", resolved_backend: "bubblewrap" });
      const shell = await call("shell", {
        command:
          "cat .fairlead/*; grep -rs PRIVATE .fairlead; cat /proc/*/environ | tr '\\0' '\\n' | grep sk-",
      });
      expect(JSON.stringify(shell.result)).not.toContain("PRIVATE");
      expect(shell.events).toMatchObject([
        { data: { resolved_backend: "bubblewrap", isolation: "workspace" } },
      ]);
      const { result } = await call("retrieve", { query: "PRIVATE fairlead" });
      expect(result).toMatchObject({
        citations: [{ path: "notes.txt" }],
        context_pack: { indexed_files: 1 },
      });
      const search = await call("local_search", { query: "PRIVATE" });
      expect(search.told).toBe("notes.txt:1: PRIVATE matters are kept in .fairlead");
    },
  );
});
