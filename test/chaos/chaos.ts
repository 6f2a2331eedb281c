import { killAndGoOn, record, type Victim } from "./play.ts";
import { allPoints, pointOnTheWay, type Point } from "./points.ts";
import type { ScenarioName } from "./scenarios.ts";
import { makeSite, type OwnSite } from "./site.ts";
import type { StoreName } from "./stores.ts";

export interface ChaosOptions {
  readonly scenario: ScenarioName;
  readonly store: StoreName;
  /** Where there is a PostgreSQL. */
  readonly server: () => Promise<string>;
  /** Which of all points; without it, all of them. */
  readonly choose?: (points: readonly Point[]) => readonly Point[];
  /** Runs that one process has when it is killed. One: it dies at its point and not a moment later. */
  readonly together?: number;
  /** Whether the process that goes on is killed too, and another goes on. */
  readonly again?: boolean;
  /** Told after each process. Must not throw. */
  readonly progress?: (done: number, of: number) => void;
}

export interface Chaos {
  readonly scenario: ScenarioName;
  readonly store: StoreName;
  /** Of the run that nobody disturbs. */
  readonly commits: number;
  readonly events: number;
  readonly total: number;
  readonly survived: number;
  readonly failures: readonly { readonly point: Point; readonly problems: readonly string[] }[];
}

/** Processes that are killed at a time. */
const LANES = 2;

/** Plays a scenario once to its end, and then once for each point that its process is killed at. */
export async function chaos(options: ChaosOptions): Promise<Chaos> {
  const { scenario, store, server, choose = (points) => points, together = 1, again = false } = options;
  const make = () => makeSite(scenario, store, server);
  const { counted, end } = await withSites([make()], ([site]) => record(site as OwnSite));
  const points = choose(allPoints(counted.commits));
  const waiting = chunks(points, together);
  const failures: { point: Point; problems: readonly string[] }[] = [];
  let done = 0;
  async function lane(): Promise<void> {
    for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
      const chosen = some;
      const problems = await withSites(chosen.map(make), (sites) =>
        killAndGoOn(
          sites.map((site, i): Victim => {
            const point = chosen[i] as Point;
            return { site, deaths: again ? [point, pointOnTheWay(points.indexOf(point))] : [point] };
          }),
          end,
        ),
      );
      for (const [i, point] of chosen.entries())
        if (problems[i]?.length !== 0) failures.push({ point, problems: problems[i] ?? [] });
      done += chosen.length;
      options.progress?.(done, points.length);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  const total = points.length;
  return { scenario, store, ...counted, total, survived: total - failures.length, failures };
}

async function withSites<T>(
  making: readonly Promise<OwnSite>[],
  use: (sites: readonly OwnSite[]) => Promise<T>,
): Promise<T> {
  const sites = await Promise.all(making);
  try {
    return await use(sites);
  } finally {
    for (const { remove } of sites) remove();
  }
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}
