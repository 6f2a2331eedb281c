import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/host/clock.ts";
import { places } from "../../src/host/places.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { createGuard } from "../../src/services/tools/guard.ts";
import { listFiles } from "../../src/tools/list-files.ts";
import { localSearch } from "../../src/tools/local-search.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { updateTasks } from "../../src/tools/update-tasks.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { type Tree, tree } from "../tools/support.ts";
import { ask, type Call, callsIn, conversation, type Result, textOf } from "./support.ts";

const model = scriptedModel({ self: "fairlead", sleep: async () => {} });

/** The real tools behind the real guard. `mayWrite`: what a person answers. */
function runner(t: Tree, mayWrite: boolean): (call: Call) => Promise<Result> {
  const { files } = t;
  const tools = [readFile, writeFile, listFiles, localSearch].map((make) => make(files));
  const gateway = createToolGateway({
    sources: [
      {
        name: "builtin",
        tools: () => [...tools, updateTasks({ clock: systemClock })],
        close: async () => {},
      },
    ],
    check: createGuard({ places }),
    timers: systemTimers,
    stopwatch: () => performance.now(),
  });
  return async ({ type: _, ...call }) => {
    if (call.name === "write_file" && !mayWrite) return { text: "A person said no.", failed: true };
    const guarded = await gateway.check(call, t.workspace);
    if (!guarded.ok) return { text: guarded.faults[0].error, failed: true };
    const { told, status } = await gateway.run(guarded.call, t.context());
    return { text: told, failed: status !== "ok" };
  };
}

describe("the demo", () => {
  it.each([
    [true, ["src/main.ts", "README.md"]],
    [false, ["src/main.ts", "README.md"]],
    [true, []],
    [false, ["notes.md"]],
  ])("plays its tour with real tools; the write is allowed: %s; files: %j", async (mayWrite, files) => {
    using t = tree();
    for (const path of files) t.put(path, "Some text, and a TODO.\n");
    const run = runner(t, mayWrite);
    const outcomes: [string, boolean][] = [];
    const { rounds } = await conversation(model, "What can you do?", async (call) => {
      const result = await run(call);
      outcomes.push([call.name, result.failed]);
      return result;
    });
    const names = rounds.map((parts) => callsIn(parts).map((call) => call.name));
    expect(names[0]).toEqual(["update_tasks", "list_files"]);
    expect(names[1]).toEqual(["list_files", "read_file", "local_search"]);
    expect(outcomes.filter(([name]) => name === "write_file")).toEqual([["write_file", !mayWrite]]);
    // One read fails on purpose, and the next one is right. In an empty workspace there is nothing to read at first.
    const reads = outcomes.filter(([name]) => name === "read_file").map(([, failed]) => failed);
    expect(reads).toEqual([files.length === 0, true, false]);
    const others = outcomes.filter(([name]) => !["read_file", "write_file"].includes(name));
    expect(others.filter(([, failed]) => failed)).toEqual([]);
    expect(existsSync(join(t.workspace, "fairlead-demo.md"))).toBe(mayWrite);
    const end = textOf(rounds.at(-1) ?? []);
    expect(end).toContain("That was the tour.");
    expect(end.includes("was told no")).toBe(!mayWrite);
    expect(rounds.at(-1)?.at(-1)).toEqual({ type: "finish", reason: "stop" });
    const ids = rounds.flatMap(callsIn).map((call) => call.tool_call_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("answers briefly where no tools are offered, or something else is asked", async () => {
    const plain = await ask(model, { messages: [{ role: "user", text: "What can you do?" }] });
    expect(callsIn(plain)).toEqual([]);
    expect(textOf(plain)).toContain("this answer is written beforehand");
    const { rounds } = await conversation(model, "Fix the build", () => ({ text: "", failed: true }));
    expect(rounds).toHaveLength(1);
    expect(textOf(rounds[0] ?? [])).toContain("“Fix the build”");
  });
});
