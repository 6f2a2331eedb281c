import type { HealthPolicy, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, gated, look, writer } from "../golden/scene.ts";
import { delegating } from "../services/delegation-support.ts";
import { settle } from "../support/world.ts";

const USED = 2_000;
const used: Step = { usage: { input_tokens: USED, output_tokens: 0 } };
const LOOK = (what: string): Step => ({ call: "look", with: { what } });
const ENOUGH: HealthPolicy = { max_total_tokens: 200_000, action: "pause" };

/** Work whose sub-agents stand at a tool, with much to do after it. */
async function working(agents: number) {
  const wait = gated();
  const each: Step[][] = [[used, { call: "wait", with: { what: "for it" } }]];
  for (let i = 0; i < 8; i++) each.push([used, LOOK(`thing ${i}`)]);
  const rules = [
    {
      when: "begin",
      rounds: [
        Array.from({ length: agents }, (_, i): Step => ({ call: "delegate", with: { task: `Dig ${i}.` } })),
        [{ say: "Dug." }],
      ],
    },
    { when: "dig", rounds: [...each, [used, { say: "Deep." }]] },
  ];
  const play = await delegating({
    models: [scriptedModel({ script: { rules } as never })],
    tools: [delegate(), look, writer, wait],
  });
  const { w, until, subagents, of } = play;
  const { session_id: id } = await w.services.kernel.start(ADA, {
    task: "begin",
    policy: { health: ENOUGH },
  });
  await until(async () => (await subagents(id)).length === agents);
  const children = (await subagents(id)).map(({ session_id }) => session_id as SessionId);
  for (const child of children) await until(async () => (await of("agent.tool.batch", child)).length === 1);
  const row = async () => w.services.kernel.healthy(await w.services.sessions.get(ADA, id));
  const spent = async () => {
    const all = await Promise.all([id, ...children].map((one) => of("agent.usage", one)));
    return all.flat().reduce((sum, { total_tokens, subagent }) => sum + (subagent ? 0 : total_tokens), 0);
  };
  return { ...play, id, children, wait, row, spent };
}

describe("a budget that is lowered while sub-agents work", () => {
  it.each([1, 3])("holds for their next calls: of %d", async (agents) => {
    const { w, id, wait, row, spent, until } = await working(agents);
    const most = USED * agents + 3_000;
    await w.services.kernel.setPolicy(ADA, id, { health: { max_total_tokens: most, action: "pause" } });
    wait.letGo({ result: "waited" });
    await until(async () => (await row()).status === "paused");
    await w.services.turns.recover();
    await settle();
    // By at most what one call can use beyond what was put aside for it.
    expect(await spent()).toBeLessThanOrEqual(most + USED);
    expect((await row()).health.policy?.enforcement).toMatchObject({
      action: "pause",
      outcome: "open",
      crossed: [{ budget: "max_total_tokens", limit: most }],
    });
    // Who lets it go on says yes to as much again.
    const before = await spent();
    await w.services.kernel.resume(ADA, id);
    await until(async () => (await spent()) > before);
    expect(w.reported).toEqual([]);
  });
});
