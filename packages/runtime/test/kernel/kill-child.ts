// The process that drives background work, and is killed.
import { playUntilKilled } from "../crash/killing.ts";
import { openKernel, operate } from "./kill-scene.ts";

await playUntilKilled({
  open: openKernel,
  async toItsEnd(runtime, session) {
    await operate(runtime, session);
  },
});
