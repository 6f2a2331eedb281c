// The process that plays a session which delegates, and is killed.
import { ADMIN } from "../support/world.ts";
import { openDelegation } from "./delegation-scene.ts";
import { playUntilKilled } from "./killing.ts";
import { playOut } from "./turn-scene.ts";

await playUntilKilled({
  open: openDelegation,
  async toItsEnd(runtime, session) {
    await runtime.services.turns.start(ADMIN, session, { input: "begin" });
    await playOut(runtime, session, "give_up");
  },
});
