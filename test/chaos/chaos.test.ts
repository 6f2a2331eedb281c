import { describe, expect, it } from "vitest";
import { startPostgres } from "../../packages/runtime/test/support/postgres.ts";
import { chaos } from "./chaos.ts";
import { type Point, samplePoints } from "./points.ts";
import { failuresOf } from "./report.ts";
import type { ScenarioName } from "./scenarios.ts";
import { STORES, type StoreName } from "./stores.ts";

/** A process that is killed has several runs: most of a kill is its start. `npm run chaos` kills each alone. */
const TOGETHER = 15;
/** Of the scenarios that are not played whole; the whole is `npm run chaos`. */
const SAMPLE = 4;
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);

const WHOLE: readonly ScenarioName[] = ["tools", "approval"];
const SAMPLED: readonly ScenarioName[] = ["subagent", "compaction", "branch"];

function sample(points: readonly Point[]): readonly Point[] {
  return samplePoints(points, SAMPLE, seed);
}

async function expectSurvived(
  scenario: ScenarioName,
  store: StoreName,
  choose: (points: readonly Point[]) => readonly Point[],
  again = false,
): Promise<number> {
  const server = startPostgres;
  const played = await chaos({ scenario, store, server, again, together: TOGETHER, choose });
  expect(failuresOf(played), `again with CHAOS_SEED=${seed}`).toBe("");
  return played.total;
}

describe.each(STORES)("a process killed with -9, on %s", (store) => {
  it.each(WHOLE)(
    "is survived at every point of the scenario %s",
    async (scenario) => {
      expect(await expectSurvived(scenario, store, (points) => points)).toBeGreaterThan(20);
    },
    300_000,
  );

  it.each(SAMPLED)(
    "is survived at points of the scenario %s that nobody chose",
    async (scenario) => {
      expect(await expectSurvived(scenario, store, sample)).toBe(SAMPLE);
    },
    300_000,
  );

  it("is survived when the next one is killed too, on its way", async () => {
    expect(await expectSurvived("tools", store, sample, true)).toBe(SAMPLE);
  }, 300_000);
});
