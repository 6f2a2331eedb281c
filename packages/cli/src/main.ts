import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Halves the time to the first word. A directory of the user's own: whoever can write there can change what runs.
enableCompileCache(join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "fairlead", "compiled"));

// `fairlead tail … | head` closes our output: that is an end, not an error. A terminal that is gone (EIO)
// has told us by a signal, and what is under way must still be able to end well.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  if (error.code !== "EIO") throw error;
});
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
});

const [{ thisHost }, { runProgram }, { version }] = await Promise.all([
  import("./host.ts"),
  import("./program.ts"),
  import("./version.ts"),
]);
process.exitCode = await runProgram(process.argv.slice(2), { host: thisHost(), version, io: process });
