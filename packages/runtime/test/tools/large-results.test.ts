import { expect, it } from "vitest";
import type { Tool } from "../../src/ports/tool.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADMIN, everything, world } from "../support/world.ts";

const flood: Tool = {
  spec: { name: "flood", description: "Says too much", parameters: { type: "object" } },
  access: "read",
  effect: "none",
  timeoutMs: 60_000,
  parallel: true,
  origin: "builtin",
  run: async () => ({ result: "w".repeat(20 * 1024 * 1024) }),
};

it("a turn goes on after a result that is larger than the log takes", { timeout: 60_000 }, async () => {
  const rounds = [[{ call: "flood" }], [{ say: "Done." }]];
  const w = world({ tools: [flood], models: [scriptedModel({ script: { rules: [{ rounds }] } })] });
  const { session_id } = await w.services.sessions.create(ADMIN, {});
  await w.services.turns.start(ADMIN, session_id, { input: "Go" });
  let events = await everything(w.log, session_id);
  while (!events.some(({ type }) => type === "runtime.turn.ended")) {
    await new Promise(setImmediate);
    events = await everything(w.log, session_id);
  }
  const data = (type: string) => events.find((event) => event.type === type)?.data;
  expect(data("runtime.turn.ended")).toMatchObject({ status: "completed" });
  expect(data("agent.tool.outcome")).toMatchObject({ status: "artifact", result: { cut: true } });
});
