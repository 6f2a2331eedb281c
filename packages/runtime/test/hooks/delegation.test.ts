import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookDefinition } from "../../src/ports/hook.ts";
import { delegated, delegating, says } from "../services/delegation-support.ts";
import { ended, hook, hookPlace, sh, trust } from "./support.ts";

const CHILD_LOOKS = { when: "stars", rounds: [[{ call: "look", with: { what: "up" } }], [{ say: "Nine." }]] };

async function played(
  hooks: readonly HookDefinition[],
  place = hookPlace(),
  child: object = says("stars", "Nine."),
) {
  const play = await delegating({
    script: [delegated({ task: "Count the stars." }), child as never],
    workspace: place.workspace,
    hooks: { hooks, host: place.host },
  });
  await trust(play, ...hooks.map(({ name }) => name));
  await play.say("begin");
  await ended({ w: play.w, session: play.root });
  return { ...play, place };
}

describe("a hook and a sub-agent", () => {
  it("before it: no session is made where it says no", async () => {
    const { of, subagents } = await played([hook({ tools: ["delegate"], command: sh("exit 1") })]);
    expect(await subagents()).toEqual([]);
    expect(await of("agent.tool.outcome")).toMatchObject([{ tool_name: "delegate", status: "denied" }]);
  });

  it("after it: is told what it said, and can stop the turn", async () => {
    const script = sh("cat > seen.json; exit 1");
    const { of, place } = await played([hook({ on: "after_tool", tools: ["delegate"], command: script })]);
    expect(JSON.parse(readFileSync(join(place.workspace, "seen.json"), "utf8"))).toMatchObject({
      tool_name: "delegate",
      arguments: { task: "Count the stars." },
      outcome: { status: "ok", text: "Nine." },
    });
    expect(await of("agent.tool.outcome")).toMatchObject([{ tool_name: "delegate", status: "ok" }]);
    expect(await of("runtime.request.failed")).toMatchObject([{ code: "hook_blocked" }]);
  });

  it("inside it: its tools pass the same hooks", async () => {
    const place = hookPlace();
    const hooks = [hook({ tools: ["look"], command: sh("touch asked; exit 1") })];
    const { of, child } = await played(hooks, place, CHILD_LOOKS);
    expect(existsSync(join(place.workspace, "asked"))).toBe(true);
    const outcomes = await of("agent.tool.outcome", await child("subagent_1"));
    expect(outcomes).toMatchObject([{ tool_name: "look", status: "denied" }]);
  });
});
