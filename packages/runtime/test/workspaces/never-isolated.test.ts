import { expect, test } from "vitest";
import { is } from "../../src/domain/event.ts";
import { everything } from "../support/world.ts";
import { DONE, patiently, put, start, worldOf } from "./support-background.ts";
import { branchAt, chat, FIRST, say, SECOND, textOf, worldFor } from "./support-chats.ts";
import { lab } from "./support.ts";

test("where background work is not kept apart, the files of a chat are kept all the same", async () => {
  const l = lab({ isolate: false, project: {} });
  const w = worldFor(l, [FIRST, SECOND]);
  const id = await chat(w);
  await say(w, id, "first");
  await say(w, id, "second");
  const end = (await everything(w.log, id)).find((event) => is(event, "runtime.request.completed"));
  expect(await branchAt(w, end)).toMatchObject({ one: "1", said: { kind: "restored" } });
});

test("and background work writes in the project, of which is kept what it was", async () => {
  const l = lab({ isolate: false, project: {} });
  const w = worldOf(l, [[put("one.txt", "1")], [put("one.txt", "2")], [DONE]]);
  const play = await start(w);
  const row = await patiently(play, "completed");
  expect([row.state?.workspace_id ?? null, textOf(l.project, "one.txt")]).toEqual([null, "2"]);
  const result = (await everything(w.log, play.session)).find((event) => is(event, "agent.tool.result"));
  expect(await branchAt(w, result)).toMatchObject({ one: "1", said: { kind: "restored" } });
});
