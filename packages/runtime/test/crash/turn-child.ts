// The process that plays a turn, and is killed.
import { ADMIN } from "../support/world.ts";
import { playUntilKilled } from "./killing.ts";
import { openScene, playOut } from "./turn-scene.ts";

await playUntilKilled({
  open: openScene,
  async toItsEnd({ services, ...runtime }, session) {
    const { turns } = services;
    await turns.start(ADMIN, session, { input: "begin" });
    // Held for after the turn.
    await turns.queue(ADMIN, session, { input: "and then this" });
    // Heard by the turn after its last call.
    await playOut({ services, ...runtime }, session, "give_up", async (tool) => {
      if (tool === "send") await turns.steer(ADMIN, session, { input: "mind the gap" });
    });
  },
});
