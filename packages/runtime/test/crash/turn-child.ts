// Plays a turn in each of several places and kills itself with -9 when each has come to its n-th append. From there on
// the log of a place is shut, so that it is left as if the process had been killed at that append. Says which places
// came to their end before; without n, how many appends there are.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { SessionId } from "@fairlead/contract";
import type { StoreChoice } from "../../src/create-runtime.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { ADMIN } from "../support/world.ts";
import { openScene, playOut } from "./turn-scene.ts";

export interface Place {
  readonly store: StoreChoice;
  readonly workspace: string;
  readonly session: SessionId;
  readonly nth?: number;
}

const [places, when] = process.argv.slice(2) as [string, string];

/** Whether the n-th append was reached, and how many there were. */
async function play({ store, workspace, session, nth = Infinity }: Place): Promise<number | "reached"> {
  let appends = 0;
  const reached = Promise.withResolvers<"reached">();
  function shut(): Promise<never> {
    reached.resolve("reached");
    return new Promise<never>(() => {});
  }
  const killing = (log: EventLog): EventLog => ({
    ...log,
    async append(append) {
      const n = ++appends;
      if (n > nth || (n === nth && when === "before")) return shut();
      const appended = await log.append(append);
      return n === nth ? shut() : appended;
    },
  });
  const runtime = await openScene(store, workspace, killing);
  await runtime.start();
  return Promise.race([reached.promise, toItsEnd()]);

  async function toItsEnd(): Promise<number> {
    const { turns } = runtime.services;
    await turns.start(ADMIN, session, { input: "begin" });
    // Held for after the turn.
    await turns.queue(ADMIN, session, { input: "and then this" });
    // Heard by the turn after its last call.
    await playOut(runtime, session, "give_up", async (tool) => {
      if (tool === "send") await turns.steer(ADMIN, session, { input: "mind the gap" });
    });
    await runtime.stop();
    return appends;
  }
}

const ends = await Promise.all((JSON.parse(places) as readonly Place[]).map(play));
writeSync(1, JSON.stringify(ends));
// Whoever is killed leaves no cache of the code behind.
flushCompileCache();
if (ends.includes("reached")) process.kill(process.pid, "SIGKILL");
