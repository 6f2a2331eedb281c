import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ask, type Call, callsIn, conversation, textOf } from "./support.ts";

const model = scriptedModel({ self: "fairlead", sleep: async () => {} });
const FILES = ["src/main.ts", "README.md"];

/** Tools over a workspace in memory. `mayWrite`: what a person answers. */
function workspace(mayWrite: boolean): (call: Call) => { text: string; failed: boolean } {
  const files = new Set(FILES);
  return ({ name, arguments: text }) => {
    const args = JSON.parse(text) as { path?: string };
    if (name === "list_files") return { text: [...files].join("\n"), failed: false };
    if (name === "read_file" && !files.has(args.path ?? ""))
      return { text: `There is no ${args.path}.`, failed: true };
    if (name === "write_file" && !mayWrite) return { text: "Denied by the operator.", failed: true };
    if (name === "write_file") files.add(args.path ?? "");
    return { text: "fine", failed: false };
  };
}

describe("the demo", () => {
  it.each([true, false])("plays its tour with tools; the write is allowed: %s", async (mayWrite) => {
    const run = workspace(mayWrite);
    const outcomes: [string, boolean][] = [];
    const { rounds } = await conversation(model, "What can you do?", (call) => {
      const result = run(call);
      outcomes.push([call.name, result.failed]);
      return result;
    });
    expect(callsIn(rounds[0] ?? []).map((call) => call.name)).toEqual(["update_tasks", "list_files"]);
    expect(callsIn(rounds[1] ?? []).map((call) => call.name)).toEqual([
      "list_files",
      "read_file",
      "local_search",
    ]);
    expect(JSON.parse(callsIn(rounds[1] ?? [])[1]?.arguments ?? "")).toMatchObject({ path: "README.md" });
    expect(outcomes.filter(([name]) => name === "write_file")).toEqual([["write_file", !mayWrite]]);
    // One read fails, and the next one is right.
    expect(outcomes.filter(([name]) => name === "read_file").map(([, failed]) => failed)).toEqual([
      false,
      true,
      false,
    ]);
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
    const { rounds } = await conversation(model, "Fix the build", workspace(true));
    expect(rounds).toHaveLength(1);
    expect(textOf(rounds[0] ?? [])).toContain("“Fix the build”");
  });
});
