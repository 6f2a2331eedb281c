import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { moduleTools } from "../../src/tools/user-module.ts";
import { tree } from "./support.ts";

let count = 0;

/** A file of its own each time: what was imported once is not read again. */
function file(t: { readonly outside: string }, source: string, end = "mjs"): string {
  const path = join(t.outside, `tools-${count++}.${end}`);
  writeFileSync(path, source);
  return path;
}

const GOOD = `{ name: "hello", description: "Says hello", parameters: { type: "object" }, run: ({ who }) => ({ hello: who }) }`;

describe("tools of a user's module", () => {
  it.each([
    ["default", `export default [${GOOD}]`],
    ["tools", `export const tools = [${GOOD}]`],
  ])("are taken from the export %s, as writes that are done once", async (_, source) => {
    using t = tree();
    const made = await moduleTools(file(t, source));
    const [tool] = made.tools();
    expect(tool).toMatchObject({ access: "write", effect: "once", parallel: false, timeoutMs: 60_000 });
    expect(tool?.origin).toMatch(/^module:tools-\d+\.mjs$/);
    expect(await tool?.run({ who: "you" }, t.context())).toEqual({ result: { hello: "you" } });
    await made.close();
  });

  it("may be TypeScript, keep their `this`, and say more about themselves", async () => {
    using t = tree();
    const source = `
      const counter: { n: number } & Record<string, unknown> = {
        n: 41, name: "count", description: "Counts", parameters: { type: "object" }, access: "read",
        timeoutMs: 5, paths: [{ argument: "path", must: "exist" }], checks: [() => "no"],
        run() { return this.n + 1; },
      };
      delete (counter as { n?: number }).n;
      Object.defineProperty(counter, "n", { value: 41, enumerable: false });
      export default [counter];`;
    const [tool] = (await moduleTools(file(t, source, "ts"))).tools();
    expect(tool).toMatchObject({ access: "read", effect: "none", parallel: true, timeoutMs: 5 });
    expect(tool?.checks?.[0]?.({})).toBe("no");
    expect(await tool?.run({}, t.context())).toEqual({ result: 42 });
  });

  it("are given what makes the key of a call", async () => {
    using t = tree();
    const source = `export default [{ name: "put", description: "Puts", parameters: { type: "object" }, effect: "idempotent",
      run: (args, { session_id, tool_call_id }) => [session_id, tool_call_id].join("/") }]`;
    const [tool] = (await moduleTools(file(t, source))).tools();
    expect(tool?.effect).toBe("idempotent");
    expect(await tool?.run({}, t.context())).toEqual({ result: "ses_1/call_1" });
  });

  it.each([
    ["nothing", "export const x = 1", "must be a list of tools"],
    ["no list", "export default {}", "must be a list of tools"],
    ["no object", "export default [3]", "tools[0]: "],
    ["no name", `export default [{ ...${GOOD}, name: undefined }]`, "tools[0].name: "],
    [
      "a name no model could call",
      `export default [{ ...${GOOD}, name: "a b" }]`,
      "tools[0].name: must have letters",
    ],
    [
      "no schema",
      `export default [{ ...${GOOD}, parameters: { type: "string" } }]`,
      "tools[0].parameters.type: ",
    ],
    ["no run", `export default [{ ...${GOOD}, run: 1 }]`, "tools[0].run: must be a function"],
    ["an unknown effect", `export default [{ ...${GOOD}, effect: "twice" }]`, "tools[0].effect: "],
    ["an unknown field", `export default [{ ...${GOOD}, efect: "once" }]`, "efect"],
    [
      "a bad path",
      `export default [{ ...${GOOD}, paths: [{ argument: "p", must: "fly" }] }]`,
      "tools[0].paths[0].must: ",
    ],
    ["a parallel write", `export default [{ ...${GOOD}, parallel: true }]`, "tools[0].parallel: only a tool"],
    ["a name twice", `export default [${GOOD}, ${GOOD}]`, "tools[1].name: there are two tools hello."],
    ["a syntax error", "export default [", "cannot be loaded: "],
    ["an error while loading", "throw new Error('not today')", "cannot be loaded: not today"],
  ])("are refused with file and field: %s", async (_, source, message) => {
    using t = tree();
    const path = file(t, source);
    await expect(moduleTools(path)).rejects.toThrow(message);
    await expect(moduleTools(path)).rejects.toThrow(path);
  });

  it("are refused when there is no such file", async () => {
    await expect(moduleTools("/no/such/file.mjs")).rejects.toThrow("/no/such/file.mjs cannot be loaded");
  });
});
