import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongestFirst from "./scripts/longest-first.ts";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-postgres.ts", "test/global-cockpit.ts", "test/global-browser.ts"],
    reporters: ["default", "./scripts/tally-reporter.ts"],
    // Most tests wait for a disk, a socket or a process of their own: two beside each other pay on two cores too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Loading the code anew for each file was a fifth of the time. So no test leaves anything behind in its process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
