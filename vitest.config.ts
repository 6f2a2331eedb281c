import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongestFirst from "./scripts/longest-first.ts";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-postgres.ts", "test/global-cockpit.ts", "test/global-browser.ts"],
    reporters: ["default", "./scripts/tally-reporter.ts"],
    // Most tests wait for a disk, a socket, a lease or a process of their own: one worker more than two cores fills what
    // two leave idle, which was a quarter of the time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Loading the code anew for each file was a fifth of the time. So no test leaves anything behind in its process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
