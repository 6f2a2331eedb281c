// A process that takes up whatever is queued, until it is killed: with what is slow it is never done. Says so when it has begun.
import { writeSync } from "node:fs";
import type { StoreChoice } from "../../src/create-runtime.ts";
import { openKernel } from "./kill-scene.ts";

const [store, workspace] = process.argv.slice(2) as [string, string];
// A busy machine lets it miss a shorter lease, and then it takes up its work a second time.
const limits = { leaseMs: 3_000, waitMs: 600_000 };
const runtime = await openKernel(JSON.parse(store) as StoreChoice, workspace, undefined, limits);
await runtime.start();
writeSync(1, "started\n");
// Timers of the runtime keep no process alive.
setInterval(() => {}, 60_000);
