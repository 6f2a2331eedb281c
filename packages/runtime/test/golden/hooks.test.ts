import { describe, expect, it } from "vitest";
import type { HookDefinition } from "../../src/ports/hook.ts";
import { hook, hookLines, hookPlace, hookScene, sh, trust } from "../hooks/support.ts";
import { golden, model, type Scene, writer } from "./scene.ts";

/** What depends on where things are: the workspace is judged, and the shell is not the same on every machine. */
const PLACE = ["input_hash", "hash"];

/** One write, with hooks around it and around the turn. */
async function played(hooks: readonly HookDefinition[], trusted: readonly string[]): Promise<Scene> {
  const play = await hookScene(hookPlace(), hooks, {
    models: [
      model({
        rounds: [
          [{ say: "I change it." }, { call: "change", with: { what: "the flag" } }],
          [{ when_failed: true, do: [{ say: "Not changed. {{result}}" }] }, { do: [{ say: "Changed." }] }],
        ],
      }),
    ],
    tools: [writer],
  });
  await trust(play, ...trusted);
  await play.start("Change the flag.");
  await play.rest();
  return play;
}

describe("the transcript of a turn with hooks", () => {
  it("that a person trusts: at each point, and nothing is held up", async () => {
    const hooks = [
      hook({ name: "greet", on: "turn_start", blocking: false }),
      hook({ name: "guard", on: "before_tool", tools: ["ch*"] }),
      hook({ name: "lint", on: "after_tool" }),
      hook({ name: "tests", on: "turn_end", command: sh(`echo '{"decision":"continue"}'`) }),
    ];
    const play = await played(hooks, ["greet", "guard", "lint", "tests"]);
    await golden("hooks-trusted", play, PLACE);
    expect(new Set((await hookLines(play)).map((line) => line.split(" ")[1]))).toEqual(
      new Set(["started", "completed", "pending"]),
    );
  });

  it("that nobody trusts: one is skipped, one that blocks denies the call", async () => {
    const hooks = [hook({ name: "greet", on: "turn_start", blocking: false }), hook({ name: "guard" })];
    const play = await played(hooks, []);
    await golden("hooks-untrusted", play, PLACE);
    expect(await hookLines(play)).toEqual(["greet skipped", "guard blocked !"]);
  });

  it("that fail: one is only recorded, one that blocks stops the turn after the tool has run", async () => {
    const hooks = [
      hook({ name: "guard", blocking: false, command: sh("echo No such rule. >&2; exit 2") }),
      hook({ name: "lint", on: "after_tool", command: sh("echo The flag is crooked. >&2; exit 1") }),
    ];
    const play = await played(hooks, ["guard", "lint"]);
    await golden("hooks-failing", play, PLACE);
    expect((await hookLines(play)).at(-1)).toBe("lint failed !");
  });
});
