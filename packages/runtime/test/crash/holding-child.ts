// The process that drives background work which is made to wait, and is killed.
import { openHolding, operate, type Way } from "./holding-scene.ts";
import { playUntilKilled } from "./killing.ts";

const way = process.argv[4] as Way;

await playUntilKilled({
  open: openHolding,
  async toItsEnd(runtime, session) {
    await operate(runtime, session, way);
  },
});
