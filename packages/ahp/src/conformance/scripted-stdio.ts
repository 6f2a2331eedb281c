import { serveStdio } from "../stdio/server.ts";
import { genericHarness, scriptedHarness } from "./scripted-harness.ts";

/** The scripted harness as a process: `scripted-stdio.ts full|generic [MAX_MESSAGE_BYTES]`. */
const [kind, maxMessageBytes] = process.argv.slice(2);
const harness = kind === "generic" ? genericHarness() : scriptedHarness();
await serveStdio(harness, maxMessageBytes ? { maxMessageBytes: Number(maxMessageBytes) } : {});
