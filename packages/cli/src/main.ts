import { readFileSync } from "node:fs";
import { thisHost } from "./host.ts";
import { runProgram } from "./program.ts";

// `fairlead tail … | head` closes our output: that is an end, not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.exitCode = await runProgram(process.argv.slice(2), thisHost(), version);
