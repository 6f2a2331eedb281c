import { expect, it, onTestFinished } from "vitest";
import { createJournal } from "../../src/services/loop/journal.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { ADA } from "../golden/scene.ts";
import { everything, world } from "../support/world.ts";

it("keeps what is to be written beside until there is something to be beside", async () => {
  const { log, services, time } = world();
  onTestFinished(() => log.close());
  const { session_id: own } = await services.sessions.create(ADA, {});
  const { session_id: other } = await services.sessions.create(ADA, {});
  const lease = await log.acquireLease(own, "here", 60_000);
  if (lease === undefined) throw new Error("nobody else has it");
  const journal = createJournal({ log, clock: time.clock }, lease, await loadCarried(log, own));
  const word = (session_id: string) =>
    ({ type: "runtime.session.pausing", data: { session_id, actor: "ada", reason: "Lunch." } }) as const;
  const heard = async () =>
    (await everything(log, other)).filter(({ type }) => type === "runtime.session.pausing").length;
  journal.beside({ stream: other, events: [word(other)] });
  await journal.flush();
  expect(await heard()).toBe(0);
  journal.emit([word(own)]);
  await journal.flush();
  expect(await heard()).toBe(1);
  journal.emit([word(own)]);
  await journal.flush();
  expect(await heard()).toBe(1);
});
