// Plays the turn and kills itself with -9 before or after its n-th append. Without n it says how many there are.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import type { SessionId } from "@fairlead/contract";
import type { EventLog } from "../../src/ports/event-log.ts";
import { ADMIN } from "../support/world.ts";
import { openScene, playOut } from "./turn-scene.ts";

const [store, workspace, session, when, nth] = process.argv.slice(2) as [
  string,
  string,
  SessionId,
  string,
  string,
];
let appends = 0;

function killing(log: EventLog): EventLog {
  return {
    ...log,
    async append(append) {
      const last = ++appends === Number(nth);
      if (last && when === "before") process.kill(process.pid, "SIGKILL");
      const appended = await log.append(append);
      if (last && when === "after") process.kill(process.pid, "SIGKILL");
      return appended;
    },
  };
}

const runtime = await openScene(JSON.parse(store), workspace, killing);
await runtime.start();
// Whoever is killed leaves no cache behind.
flushCompileCache();
const { turns } = runtime.services;
await turns.start(ADMIN, session, { input: "begin" });
// Held for after the turn.
await turns.queue(ADMIN, session, { input: "and then this" });
// Heard by the turn after its last call.
await playOut(runtime, session, "give_up", async (tool) => {
  if (tool === "send") await turns.steer(ADMIN, session, { input: "mind the gap" });
});
await runtime.stop();
writeSync(1, `${appends}\n`);
