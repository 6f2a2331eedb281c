import { expect, test } from "vitest";
import { ADA, branchWorld, say, workedSession } from "../branches/support.ts";
import { actor, everything } from "../support/world.ts";

test("branches of one session have titles of their own, whichever of the family was asked, also when one is gone", async () => {
  const w = branchWorld();
  const { branches, sessions } = w.services;
  const root = await workedSession(w);
  await sessions.configure(ADA, root, { title: "Tidy up" });
  await say(w, root, "more");
  const place = (await everything(w.log, root)).at(-1);
  const at = async (session: string) =>
    (await branches.branch(ADA, session, { from_event_id: place?.id ?? "" })).session_id;
  const first = await at(root);
  await say(w, first, "on");
  const second = await at(first);
  await at(second);
  await sessions.purge(actor("admin"), second, "Enough.");
  await at(root);
  const own = await branches.branch(ADA, first, {});
  const { rows } = await sessions.list(ADA, { limit: 50 });
  const titles = rows.flatMap(({ title }) => title ?? []).toSorted();
  expect(titles).toEqual([
    "Tidy up",
    "Tidy up (branch 1)",
    "Tidy up (branch 1.1)",
    "Tidy up (branch 3)",
    "Tidy up (branch 4)",
  ]);
  expect(own.title).toBe("Tidy up (branch 1.1)");
});
