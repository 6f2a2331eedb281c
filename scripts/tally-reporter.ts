import type { Reporter, TestModule } from "vitest/node";

/** One plain line at the end, for whoever reads the output of a run and not its exit code. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tally = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) tally[test.result().state] += 1;
    }
    console.log(`${tally.passed} passed, ${tally.failed + tally.pending} failed, ${tally.skipped} skipped`);
  }
}
