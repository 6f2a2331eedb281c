// The process that spends, and is killed.
import { playUntilKilled } from "../crash/killing.ts";
import { openBudget, playOut } from "./scene.ts";

await playUntilKilled({
  open: openBudget,
  async toItsEnd(runtime, session) {
    await playOut(runtime, session);
  },
});
