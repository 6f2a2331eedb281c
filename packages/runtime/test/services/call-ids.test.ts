import { expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { look, model, scene } from "../golden/scene.ts";

const counting = {
  ...model({
    rounds: [
      [
        { call: "look", with: { what: "{{prompt}}" }, id: "call_0" },
        { call: "look", with: { what: "it again" }, id: "call_0" },
      ],
      [{ say: "All is well there. ".repeat(40) }],
    ],
  }),
  // Full after a few turns.
  contextTokens: 1_000,
};

it("gives no two calls of a session the same id, also when the conversation was folded in between", async () => {
  const play = await scene({ models: [counting], tools: [look] });
  for (const place of ["the door", "the roof", "the cellar", "the garden", "the attic"]) {
    await play.start(place);
    await play.rest();
  }
  const events = await play.events();
  expect(events.some((event) => is(event, "agent.context.compacted"))).toBe(true);
  const ids = events.flatMap((event) => (is(event, "agent.tool.start") ? [event.data.tool_call_id] : []));
  expect(ids).toEqual(["call_0", ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `call_0-${n}`)]);
  const ended = events.flatMap((event) => (is(event, "agent.tool.outcome") ? [event.data.tool_call_id] : []));
  expect(ended).toEqual(ids);
});
