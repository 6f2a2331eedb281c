import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-postgres.ts", "test/global-cockpit.ts"],
    reporters: ["default", "./scripts/tally-reporter.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
