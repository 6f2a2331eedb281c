// One scenario on one store: undisturbed, and then killed at points of it.
import { check, type Run } from "./check.ts";
import { type End, endOf } from "./end.ts";
import { filesOf } from "./files.ts";
import type { Counted } from "./kill-at.ts";
import { readDeeds } from "./ledger.ts";
import { follow } from "./person.ts";
import type { Point } from "./points.ts";
import { startServers } from "./process.ts";
import { readLog, type WholeLog } from "./read-log.ts";
import { type Scenario, SCENARIOS } from "./scenarios.ts";
import type { OwnSite, Site } from "./site.ts";

export interface Recorded {
  readonly counted: Counted;
  readonly end: End;
}

/** Without a kill. Rejects when even that does not end as it must. */
export async function record(site: Site): Promise<Recorded> {
  const servers = startServers([site]);
  try {
    const lost = await attend(site, servers.urls[0]);
    const [counted] = await servers.stop();
    const run = await runOf(site);
    const end = endOf(run.log, run.deeds, run.files);
    const problems = [...lost, ...check(run, [], end), ...otherFiles(end, SCENARIOS[site.scenario].files)];
    if (counted === undefined || problems.length > 0)
      throw new Error(`The scenario ${site.scenario} is not sound: ${problems.join("; ")}`);
    return { counted, end };
  } finally {
    servers.kill();
  }
}

export interface Victim {
  readonly site: OwnSite;
  /** Where its process is killed, and where the one is that went on, and so forth. */
  readonly deaths: readonly [Point, ...Point[]];
}

/** What went wrong with each of the victims. */
type Problems = readonly (readonly string[])[];

/** Kills one process that has all of these, and those that go on as often as they are to die. Says what does not hold. */
export async function killAndGoOn(victims: readonly Victim[], end: End): Promise<Problems> {
  const lives = Math.max(...victims.map(({ deaths }) => deaths.length));
  const problems = victims.map((): string[] => []);
  const killed: WholeLog[][] = victims.map(() => []);
  for (let life = 0; life < lives; life++) {
    for (const [i, found] of (await killAll(victims, life)).entries()) problems[i]?.push(...found);
    for (const [i, { site }] of victims.entries()) killed[i]?.push(await readLog(site));
  }
  for (const [i, found] of (await goOn(victims)).entries()) problems[i]?.push(...found);
  for (const [i, { site }] of victims.entries())
    problems[i]?.push(...check(await runOf(site), killed[i] ?? [], end));
  return problems;
}

async function killAll(victims: readonly Victim[], life: number): Promise<Problems> {
  const servers = startServers(
    victims.map(({ site, deaths }) => ({ ...ownless(site), point: deaths[life] })),
  );
  const problems = await Promise.all(
    victims.map(({ site }, i) =>
      attend(site, servers.urls[i], "may be lost").finally(() => servers.ended(i)),
    ),
  );
  const { signal, reached, said } = await servers.gone;
  return problems.map((found, i) => [
    ...found,
    ...(signal === "SIGKILL" ? [] : [`the process ended by itself: ${said}`]),
    // What is left for one that goes on is not known before.
    ...(life > 0 || reached.has(i) ? [] : ["the run never came to this point"]),
  ]);
}

async function goOn(victims: readonly Victim[]): Promise<Problems> {
  const servers = startServers(victims.map(({ site }) => ownless(site)));
  try {
    const problems = await Promise.all(victims.map(({ site }, i) => attend(site, servers.urls[i])));
    await servers.stop();
    // Whatever it could not put in the log.
    const { said } = await servers.gone;
    return said === "" ? problems : problems.map((found) => [...found, `who went on complained: ${said}`]);
  } catch (error) {
    return victims.map(() => [String(error)]);
  } finally {
    servers.kill();
  }
}

/** A person who follows the plan for as long as there is a server. What went wrong. */
async function attend(
  site: Site,
  url: Promise<string> | undefined,
  fate?: "may be lost",
): Promise<readonly string[]> {
  try {
    const how = await follow(SCENARIOS[site.scenario].plan, (await url) ?? "", site.world);
    return how === "lost" && fate === undefined ? ["the process that went on was lost"] : [];
  } catch (error) {
    return [String(error)];
  }
}

/** By their names: what is in them is compared with what other runs come to. */
function otherFiles({ sessions }: End, wanted: Scenario["files"]): readonly string[] {
  const names = sessions.map(({ files }) => files.map((file) => file.split(" ")[0] ?? ""));
  const [is, should] = [JSON.stringify(names), JSON.stringify(wanted)];
  return wanted === undefined || is === should ? [] : [`the files are ${is} and not ${should}`];
}

async function runOf(site: Site): Promise<Run> {
  const log = await readLog(site);
  return { log, deeds: readDeeds(site.world), files: filesOf(log, site.workspace) };
}

function ownless({ remove, ...site }: OwnSite): Site {
  return site;
}
