import { playUntilHooked } from "./hooks-scene.ts";

await playUntilHooked(process.argv.slice(2));
