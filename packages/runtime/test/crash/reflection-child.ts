import { lookBackUntilKilled } from "./reflection-scene.ts";

await lookBackUntilKilled(process.argv.slice(2));
