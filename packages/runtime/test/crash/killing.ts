// Plays a scene in each of several places and kills this process with -9 when each has come to its n-th append. From
// there on the log of a place is shut, so that it is left as if the process had been killed at that append. Says which
// places came to their end before; without n, how many appends there are.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { SessionId } from "@fairlead/contract";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import type { Append, EventLog } from "../../src/ports/event-log.ts";

export interface Place {
  readonly store: StoreChoice;
  readonly workspace: string;
  readonly session: SessionId;
  readonly nth?: number;
  /** Killed where so many appends had an event of this type, however many others there were. */
  readonly seen?: { readonly type: string; readonly times: number };
}

export interface PlayedScene {
  open(store: StoreChoice, workspace: string, observe: (log: EventLog) => EventLog): Promise<Runtime>;
  /** Resolves when the session has nothing more to do. */
  toItsEnd(runtime: Runtime, session: SessionId): Promise<void>;
}

export async function playUntilKilled(scene: PlayedScene): Promise<void> {
  const [places, when] = process.argv.slice(2) as [string, string];
  const ends = await Promise.all(
    (JSON.parse(places) as readonly Place[]).map((place) => play(scene, place, when)),
  );
  writeSync(1, JSON.stringify(ends));
  // Whoever is killed leaves no cache of the code behind.
  flushCompileCache();
  if (ends.includes("reached")) process.kill(process.pid, "SIGKILL");
}

function carries({ writes }: Append, wanted: string): boolean {
  return writes.some(({ events }) => events.some(({ type }) => type === wanted));
}

/** Whether the n-th append was reached, and how many there were. */
async function play(
  { open, toItsEnd }: PlayedScene,
  { store, workspace, session, nth = Infinity, seen }: Place,
  when: string,
): Promise<number | "reached"> {
  let appends = 0;
  let met = 0;
  const reached = Promise.withResolvers<"reached">();
  function shut(): Promise<never> {
    reached.resolve("reached");
    return new Promise<never>(() => {});
  }
  const killing = (log: EventLog): EventLog => ({
    ...log,
    async append(append) {
      const n = ++appends;
      if (n > nth || (n === nth && when === "before") || met === seen?.times) return shut();
      if (seen !== undefined && carries(append, seen.type)) met += 1;
      const appended = await log.append(append);
      return n === nth || (met === seen?.times && when === "after") ? shut() : appended;
    },
  });
  const runtime = await open(store, workspace, killing);
  await runtime.start();
  const ended = toItsEnd(runtime, session).then(async () => {
    await runtime.stop();
    return appends;
  });
  return Promise.race([reached.promise, ended]);
}
