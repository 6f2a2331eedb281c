import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A quarter of a minute and more each. One that begins last keeps a core idle for as long as it takes. */
const LONGEST = [
  "test/chaos/chaos.test.ts",
  "packages/runtime/test/crash/holding.test.ts",
  "test/cockpit/accessible.test.ts",
  "packages/cli/test/serve.test.ts",
  "packages/cli/test/chat/terminal.test.ts",
  "packages/runtime/test/crash/delegation-phases.test.ts",
  "test/cluster/faults.test.ts",
  "packages/runtime/test/crash/turn-phases.test.ts",
  "packages/runtime/test/workspaces/killed-work.test.ts",
  "test/cockpit/decide.test.ts",
  "test/cockpit/start.test.ts",
  "packages/runtime/test/policy/properties.test.ts",
  "packages/runtime/test/kernel/kill.test.ts",
  "packages/ahp/test/conformance.test.ts",
  "test/readme.test.ts",
  "packages/runtime/test/budget/kill.test.ts",
];

/** Where no run before this one says how long each file takes, as on a fresh machine. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return found < 0 ? LONGEST.length : found;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
