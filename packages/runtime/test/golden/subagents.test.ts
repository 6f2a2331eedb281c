import type { AnyEvent, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { delegate } from "../../src/tools/delegate.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Rule } from "../../src/models/script.ts";
import { ADMIN, everything } from "../support/world.ts";
import { golden, look, type Scene, scene, writer } from "./scene.ts";

const play = (rules: readonly Rule[]) =>
  scene({ models: [scriptedModel({ script: { rules: [...rules] } })], tools: [delegate(), look, writer] });

/** The whole story: the session that delegates, then each that it delegated to. */
async function family({ w, session }: Scene): Promise<readonly AnyEvent[]> {
  const { subagents } = await w.services.details.chat(ADMIN, session);
  const children = subagents.map(({ session_id }) => session_id as SessionId).toSorted();
  const all = await Promise.all([session, ...children].map((one) => everything(w.log, one)));
  return all.flat();
}

async function isOver({ w, session }: Scene): Promise<boolean> {
  return (await w.services.sessions.get(ADMIN, session)).turn_id === null;
}

describe("delegated work, event by event", () => {
  it("asks where a person sees it, and goes on with the decision", async () => {
    const one = await play([
      {
        when: "begin",
        rounds: [
          [{ say: "I let somebody do it." }, { call: "delegate", with: { task: "Set the flag." } }],
          [{ say: "It is done: {{result}}" }],
        ],
      },
      {
        when: "set the flag",
        rounds: [[{ call: "change", with: { what: "the flag" } }], [{ say: "The flag is set." }]],
      },
    ]);
    await one.start("begin");
    await one.until("runtime.subagent.event", 2);
    await one.rest();
    await one.decide({ decision: "approved" });
    await expect.poll(() => isOver(one)).toBe(true);
    await golden("subagent-approval", { ...one, events: () => family(one) });
  });

  it("runs three at once, of which one fails", async () => {
    const one = await play([
      {
        when: "begin",
        rounds: [
          [
            { call: "delegate", with: { task: "Find the first.", title: "first" } },
            { call: "delegate", with: { task: "Find the second.", title: "second", max_steps: 1 } },
            { call: "delegate", with: { task: "Find the third.", title: "third", permission_mode: "plan" } },
          ],
          [{ when_failed: true, do: [{ say: "Two of three are found." }] }],
        ],
      },
      { when: "first", do: [{ say: "It is here." }] },
      { when: "second", rounds: [[{ call: "look", with: { what: "everywhere" } }], [{ say: "Never said." }]] },
      { when: "third", do: [{ say: "It is there." }] },
    ]);
    await one.start("begin");
    await expect.poll(() => isOver(one)).toBe(true);
    await golden("subagents-parallel", { ...one, events: () => family(one) });
  });
});
