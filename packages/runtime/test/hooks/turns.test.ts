import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { model, writer } from "../golden/scene.ts";
import { CALLS, dataOf, hook, hookLines, hookPlace, hookScene, marking, sh, trust } from "./support.ts";

describe("a hook after a tool", () => {
  it("is told the outcome, and the turn goes on after it", async () => {
    const place = hookPlace();
    const { tool: change } = marking(place.workspace);
    const hooks = [
      hook({ name: "one", on: "after_tool", command: sh("cat > one.json; test -e ran") }),
      hook({ name: "two", on: "after_tool", command: sh("test -e one.json") }),
    ];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [change] });
    await trust(play, "one", "two");
    await play.start();
    await play.rest();
    expect(await hookLines(play)).toEqual([
      "one pending",
      "one started",
      "one completed",
      "two pending",
      "two started",
      "two completed",
    ]);
    expect(JSON.parse(readFileSync(join(place.workspace, "one.json"), "utf8"))).toMatchObject({
      on: "after_tool",
      tool_name: "change",
      arguments: { what: "the flag" },
      outcome: { status: "ok", text: '{"secret":"hunter two"}' },
    });
    expect(dataOf(await play.events(), "runtime.request.completed")).toMatchObject([{ output: "Done." }]);
  });

  it.each([
    ["says no", sh(`echo '{"decision":"block","reason":"It has a secret."}'`), "It has a secret."],
    ["fails", sh("exit 7"), "exit code 7"],
  ])(
    "that %s stops the turn: the outcome stands, and no model ever hears the result",
    async (_, command, reason) => {
      const place = hookPlace();
      const heard: string[] = [];
      const { tool: change, ran } = marking(place.workspace);
      const [scripted] = CALLS.models;
      if (scripted === undefined) throw new Error("There is no model.");
      const listening = {
        ...scripted,
        stream: (...args: Parameters<typeof scripted.stream>) => {
          heard.push(JSON.stringify(args[0].messages));
          return scripted.stream(...args);
        },
      };
      const hooks = [
        hook({ name: "scan", on: "after_tool", command }),
        hook({ name: "later", on: "after_tool", command: sh("touch later") }),
      ];
      const play = await hookScene(place, hooks, { models: [listening], tools: [change] });
      await trust(play, "scan", "later");
      await play.start();
      await play.rest();
      expect(ran()).toBe(true);
      const events = await play.events();
      expect(dataOf(events, "agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
      const [failed] = dataOf(events, "runtime.request.failed");
      expect(failed).toMatchObject({ code: "hook_blocked" });
      expect(failed?.["error"]).toContain(`The hook scan stopped the turn: `);
      expect(failed?.["error"]).toContain(reason);
      expect(existsSync(join(place.workspace, "later"))).toBe(false);
      await play.start("And now?");
      await play.rest();
      expect(heard.length).toBeGreaterThan(1);
      expect(heard.join()).not.toContain("hunter two");
      expect(heard.at(-1)).toContain("The hook scan withholds what it gave back");
    },
  );
});

describe("a hook at the start of a turn", () => {
  it("runs once, before the model is asked, and knows the request", async () => {
    const place = hookPlace();
    const hooks = [hook({ on: "turn_start", command: sh("cat >> seen.json") })];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [writer] });
    await trust(play, "guard");
    await play.start("Change the flag.");
    await play.rest();
    const lines = readFileSync(join(place.workspace, "seen.json"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { on: "turn_start", input: "Change the flag." },
    ]);
    const types = (await play.events()).map(({ type }) => type);
    expect(types.lastIndexOf("runtime.hook.event")).toBeLessThan(types.indexOf("agent.output.completed"));
    expect(dataOf(await play.events(), "runtime.request.completed")).toHaveLength(1);
  });

  it("that blocks ends the turn before the model is asked", async () => {
    const place = hookPlace();
    const hooks = [hook({ on: "turn_start", command: sh(`echo '{"decision":"block","reason":"Frozen."}'`) })];
    const play = await hookScene(place, hooks, CALLS);
    await trust(play, "guard");
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "runtime.request.failed")).toMatchObject([
      { code: "hook_blocked", error: "The hook guard stopped the turn: Frozen." },
    ]);
    expect(dataOf(events, "agent.output.completed")).toEqual([]);
    // The next turn is asked about anew.
    await play.start();
    await play.rest();
    expect(dataOf(await play.events(), "runtime.request.failed")).toHaveLength(2);
  });
});

describe("a hook at the end of a turn", () => {
  it("knows the answer, and runs before the turn completes", async () => {
    const place = hookPlace();
    const hooks = [hook({ on: "turn_end", command: sh("cat > seen.json") })];
    const play = await hookScene(place, hooks, { models: [model({ do: [{ say: "Hello." }] })] });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    expect(JSON.parse(readFileSync(join(place.workspace, "seen.json"), "utf8"))).toMatchObject({
      output: "Hello.",
    });
    const types = (await play.events()).map(({ type }) => type);
    expect(types.lastIndexOf("runtime.hook.event")).toBeLessThan(types.indexOf("runtime.request.completed"));
  });

  it("that blocks lets it end as failed", async () => {
    const place = hookPlace();
    const hooks = [hook({ on: "turn_end", command: sh("echo Tests fail. >&2; exit 1") })];
    const play = await hookScene(place, hooks, { models: [model({ do: [{ say: "Hello." }] })] });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(dataOf(events, "runtime.request.failed")).toMatchObject([
      {
        code: "hook_blocked",
        error: "The hook guard stopped the turn: It ended with exit code 1. It said: Tests fail.",
      },
    ]);
    expect(dataOf(events, "runtime.request.completed")).toEqual([]);
    expect(dataOf(events, "runtime.turn.ended")).toMatchObject([
      { status: "failed", reason: "hook_blocked" },
    ]);
  });
});
