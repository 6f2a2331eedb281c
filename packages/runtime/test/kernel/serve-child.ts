// A process that takes up whatever is queued, until it is killed. Says so when it has begun.
import { writeSync } from "node:fs";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { openKernel } from "./kill-scene.ts";

const [store, workspace] = process.argv.slice(2) as [string, string];
const runtime = await openKernel(JSON.parse(store) as StoreChoice, workspace);
await runtime.start();
writeSync(1, "started\n");
// Timers of the runtime keep no process alive.
setInterval(() => {}, 60_000);
