import type { SessionId } from "@fairlead/contract";
import { expect, it } from "vitest";
import { branch } from "../../src/ports/event-log.contract/support.ts";
import { loadCarried } from "../../src/services/loop/load.ts";
import { ADMIN, settle, world } from "../support/world.ts";

it("a branch still has the large messages of a parent that was purged", async () => {
  const long = "y".repeat(50_000);
  const w = world({ steps: [{ say: long }] });
  const { session_id: parent } = await w.services.sessions.create(ADMIN, {});
  await w.services.turns.start(ADMIN, parent, { input: long });
  while ((await w.services.sessions.get(ADMIN, parent)).turn_id !== null) {
    await settle();
    await w.time.advance(1_000);
  }
  const { head_seq } = await w.services.sessions.get(ADMIN, parent);
  const child: SessionId = await branch(w.log, parent, head_seq);
  await w.services.sessions.purge(ADMIN, parent, "test");
  const { state } = await loadCarried(w.log, child);
  expect(state.messages).toEqual([
    { role: "user", text: long },
    { role: "assistant", text: long, by: "fairlead/scripted" },
  ]);
});
