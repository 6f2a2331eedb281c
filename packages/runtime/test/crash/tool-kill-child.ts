import { playUntilKilled } from "./tool-kill-scene.ts";

await playUntilKilled(process.argv.slice(2));
