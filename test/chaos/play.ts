// One scenario on one store: undisturbed, and then killed at points of it.
import { check, type Run } from "./check.ts";
import { type End, endOf } from "./end.ts";
import type { Counted } from "./kill-at.ts";
import { readDeeds } from "./ledger.ts";
import { follow } from "./person.ts";
import type { Point } from "./points.ts";
import { startServers } from "./process.ts";
import { readLog } from "./read-log.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { OwnSite, Site } from "./site.ts";

export interface Recorded {
  readonly counted: Counted;
  readonly end: End;
}

/** Without a kill. Rejects when even that does not end as it must. */
export async function record(site: Site): Promise<Recorded> {
  const servers = startServers([site]);
  try {
    await follow(SCENARIOS[site.scenario].plan, (await servers.urls[0]) ?? "", site.world);
    const [counted] = await servers.stop();
    const run = await runOf(site);
    const end = endOf(run.log, run.deeds);
    const problems = check(run, run.log, end);
    if (counted === undefined || problems.length > 0)
      throw new Error(`The scenario ${site.scenario} is not sound: ${problems.join("; ")}`);
    return { counted, end };
  } finally {
    servers.kill();
  }
}

export interface Victim {
  readonly site: OwnSite;
  readonly point: Point;
}

/** Kills one process that has all of these, lets another go on, and says of each what does not hold. */
export async function killAndGoOn(
  victims: readonly Victim[],
  end: End,
): Promise<readonly (readonly string[])[]> {
  const killing = startServers(victims.map(({ site, point }) => ({ ...ownless(site), point })));
  const problems = await Promise.all(
    victims.map(({ site }, i) => attend(site, killing.urls[i]).finally(() => killing.ended(i))),
  );
  const { signal, reached, said } = await killing.gone;
  if (signal !== "SIGKILL") return victims.map(() => [`the process ended by itself: ${said}`]);
  const killed = await Promise.all(victims.map(({ site }) => readLog(site)));
  const after = startServers(victims.map(({ site }) => ownless(site)));
  try {
    const later = await Promise.all(victims.map(({ site }, i) => attend(site, after.urls[i])));
    await after.stop();
    return await Promise.all(
      victims.map(async ({ site }, i) => [
        ...(problems[i] ?? []),
        ...(reached.has(i) ? [] : ["the run never came to this point"]),
        ...(later[i] ?? []),
        ...check(await runOf(site), killed[i] ?? { events: [], streams: [], broken: [] }, end),
      ]),
    );
  } finally {
    after.kill();
  }
}

/** A person who follows the plan for as long as there is a server. What went wrong. */
async function attend(site: Site, url: Promise<string> | undefined): Promise<readonly string[]> {
  try {
    await follow(SCENARIOS[site.scenario].plan, (await url) ?? "", site.world);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function runOf(site: Site): Promise<Run> {
  return { log: await readLog(site), deeds: readDeeds(site.world) };
}

function ownless({ remove, ...site }: OwnSite): Site {
  return site;
}
