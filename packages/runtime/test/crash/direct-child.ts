// A tool that a person runs: lives until it is killed, which is while the tool runs.
import { flushCompileCache } from "node:module";
import { ADMIN } from "../support/world.ts";
import { openKillScene } from "./tool-kill-scene.ts";

const [data = "", workspace = "", session = "", tool = ""] = process.argv.slice(2);
const runtime = await openKillScene(data, workspace);
await runtime.start();
// Whoever is killed leaves no cache behind.
flushCompileCache();
await runtime.services.tools.call(ADMIN, session, tool, {});
