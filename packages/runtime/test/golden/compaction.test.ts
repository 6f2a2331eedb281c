import type { SessionId } from "@fairlead/contract";
import { expect, it } from "vitest";
import { is } from "../../src/domain/event.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { everything, settle } from "../support/world.ts";
import { ADA, golden, look, model, scene } from "./scene.ts";

const spoken = (id: string) =>
  model(
    {
      rounds: [
        [{ say: "I look at {{prompt}}." }, { call: "look", with: { what: "{{prompt}}" } }],
        [{ say: "All is well there. ".repeat(40) }],
      ],
    },
    id,
  );
const PLACES = ["the door", "the roof", "the cellar", "the garden"];

/** Full after a few turns. */
const small = { ...spoken("small"), contextTokens: 1_000 };

it("the transcript of a session that is compacted, and of a branch from before", async () => {
  const play = await scene({ models: [small, spoken("large")], tools: [look] });
  const { log, services } = play.w;
  for (const place of PLACES) {
    await play.start(place);
    await play.rest();
  }
  await golden("compaction", play);
  const events = await play.events();
  const folded = events.find((event) => is(event, "agent.context.compacted"));
  if (folded === undefined || !is(folded, "agent.context.compacted")) throw new Error("It was not compacted.");
  const told = async (session: SessionId) => {
    const { state } = await loadCarried(log, session);
    return JSON.stringify(state.messages);
  };
  expect(await told(play.session)).not.toContain('"text":"the door"');

  const { resume_cursor } = folded.data;
  const { session_id } = await services.branches.branch(ADA, play.session, {
    resume_cursor: resume_cursor ?? "",
    model: "large",
  });
  await services.turns.start(ADA, session_id, { input: "the attic" });
  while ((await services.sessions.get(ADA, session_id)).turn_id !== null) await settle();
  await golden("compaction-branch", { ...play, events: () => everything(log, session_id) });
  // All that was said before is told again, and the parent stays as it was.
  for (const place of [...PLACES, "the attic"])
    expect(await told(session_id)).toContain(`"text":"${place}"`);
  expect(await told(session_id)).not.toContain("Summary of earlier work");
  expect(await play.events()).toEqual(events);
});
