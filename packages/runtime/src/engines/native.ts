import { SYSTEM_ACTOR } from "../domain/actor.ts";
import { NATIVE } from "../domain/kernel/background.ts";
import type { Engine } from "../ports/engine.ts";
import type { Turns } from "../services/types.ts";

/** Our own loop: background work is a turn like any other, and waits without a process. */
export function nativeEngine(turns: Pick<Turns, "wake" | "nudge" | "cancel">): Engine {
  return {
    id: NATIVE,
    fidelity: "native",
    parks: true,
    missing: () => undefined,
    wake: (session, now) => turns.wake(session, now),
    nudge: (session) => turns.nudge(session),
    async cancel(session, actor, reason) {
      await turns.cancel({ ...SYSTEM_ACTOR, name: actor }, session, reason);
    },
  };
}
