import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { HookDefinition } from "../../src/ports/hook.ts";
import type { Model } from "../../src/ports/model.ts";
import { ADA } from "../golden/scene.ts";
import { delegated, delegating, says } from "../services/delegation-support.ts";
import { ended, hook, hookPlace, sh, trust } from "./support.ts";

const CHILD_LOOKS = { when: "stars", rounds: [[{ call: "look", with: { what: "up" } }], [{ say: "Nine." }]] };

async function played(
  hooks: readonly HookDefinition[],
  place = hookPlace(),
  child: object = says("stars", "Nine."),
  order: object = {},
) {
  const play = await delegating({
    script: [delegated({ task: "Count the stars.", ...order }), child as never],
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

  it("after it: a turn that is cancelled meanwhile withholds what a hook has not seen", async () => {
    const place = hookPlace();
    const heard: string[] = [];
    const scripted = scriptedModel({
      script: {
        rules: [
          delegated({ task: "Count the stars." }, { task: "Count for ever." }),
          says("stars", "The secret is nine."),
          { when: "for ever", do: [{ hang: true }] },
          says("And now?", "Nothing."),
        ],
      },
    });
    const listening: Model = {
      ...scripted,
      stream(request, signal) {
        heard.push(JSON.stringify(request.messages));
        return scripted.stream(request, signal);
      },
    };
    const hooks = [hook({ on: "after_tool", tools: ["delegate"], command: sh("touch asked") })];
    const play = await delegating({
      models: [listening],
      workspace: place.workspace,
      hooks: { hooks, host: place.host },
    });
    const { w, root, say, until, subagents, of } = play;
    await trust(play, "guard");
    await say("begin");
    await until(async () => (await subagents()).some(({ status }) => status === "completed"));
    await w.services.turns.cancel(ADA, root, "enough");
    expect((await of("agent.tool.outcome")).map(({ status }) => status)).toEqual(["ok", "error"]);
    expect(existsSync(join(place.workspace, "asked"))).toBe(false);
    await say("And now?");
    await play.ended();
    expect(heard.at(-1)).toContain("And now?");
    expect(heard.at(-1)).toContain("The hook guard withholds what it gave back");
    expect(heard.at(-1)).not.toContain("The secret is nine.");
  });

  it("after one that was not started: is owed before its outcome is there", async () => {
    const hooks = [hook({ on: "after_tool", tools: ["delegate"], command: sh("exit 0") })];
    const { events } = await played(hooks, hookPlace(), says("stars", "Nine."), { model: "nobody" });
    const order = (await events()).flatMap((event) => {
      if (is(event, "agent.tool.outcome")) return [event.data.status];
      return is(event, "runtime.hook.event") ? [event.data.status] : [];
    });
    expect(order).toEqual(["pending", "error", "started", "completed"]);
  });
});
