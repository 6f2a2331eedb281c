// The process that plays a session which delegates, and is killed: to its end, or until somebody has enough of it.
import type { SessionId } from "@fairlead/contract";
import type { Runtime } from "../../src/create-runtime.ts";
import { ADMIN } from "../support/world.ts";
import { openDelegation } from "./delegation-scene.ts";
import { playUntilKilled } from "./killing.ts";
import { playOut } from "./turn-scene.ts";

const ending = process.argv[4];

/** Until one of its sub-agents waits for a person. */
async function untilAsked({ services }: Runtime, session: SessionId): Promise<void> {
  for (let looks = 0; looks < 2_000; looks++) {
    const { rows } = await services.questions.list(ADMIN, { session_id: session, state: "pending" });
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error("nobody was asked");
}

await playUntilKilled({
  open: openDelegation,
  async toItsEnd(runtime, session) {
    await runtime.services.turns.start(ADMIN, session, { input: "begin" });
    if (ending !== "cancel") return playOut(runtime, session, "give_up");
    await untilAsked(runtime, session);
    await runtime.services.turns.cancel(ADMIN, session, "enough");
  },
});
