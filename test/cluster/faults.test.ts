import { readdirSync } from "node:fs";
import { setTimeout as passes } from "node:timers/promises";
import { EVENTS, isEventType } from "@fairlead/contract";
import { expect, test } from "vitest";
import { createChance } from "./chance.ts";
import { type Chronicle, violations } from "./check.ts";
import { misplaced } from "./check-places.ts";
import { makeCluster } from "./cluster.ts";
import { FAULTS, schedule, strike } from "./faults.ts";
import { follow } from "./follower.ts";
import { answerAll, asked, startSessions } from "./operator.ts";
import { changesOf, readTraces } from "./traces.ts";
import { endedTurns, whatWasSeen } from "./witness.ts";

/** Started before each fault, so that each finds work under way. */
const BATCH = 21;
/** Of each kind of fault. */
const ROUNDS = 3;
/** Of so many sessions one works on a repository, and the others on a directory without one. */
const IN_REPOSITORY = 10;
const SESSIONS = BATCH * (1 + ROUNDS * FAULTS.length);

const SCRIPT = {
  rules: [
    {
      rounds: [
        [{ say: "I look " }, { wait_ms: 400 }, { say: "around." }, { call: "look" }],
        [{ wait_ms: 500 }, { call: "put" }],
        [{ wait_ms: 500 }, { call: "send" }],
        [{ wait_ms: 300 }, { say: "Done." }],
      ],
    },
  ],
};

async function allEnded(store: string): Promise<void> {
  while ((await endedTurns(store)) < SESSIONS) await passes(200);
}

/** What a reader of this face is shown, in the order of commits. */
function shown({ events }: Chronicle): string[] {
  return events
    .filter(({ type }) => !isEventType(type) || EVENTS[type].faces.frontend !== null)
    .map(({ id }) => id);
}

test("three processes that are killed, frozen and cut off lose nothing and do nothing twice", async () => {
  const seed = Number(process.env["CLUSTER_SEED"] ?? Date.now() % 1_000_000);
  const chance = createChance(seed);
  const where = `CLUSTER_SEED=${seed}`;
  const cluster = await makeCluster({ members: 3, script: SCRIPT, places: true });
  const { members, projects } = cluster;
  const workspaceOf = (n: number) => (n % IN_REPOSITORY === 0 ? projects.repository : projects.plain);
  await Promise.all(members.map((member) => member.start()));
  const anyone = cluster.client(() => chance.pick(members.flatMap((member) => member.url() ?? [])));

  const reader = follow(cluster);
  await reader.until(0);
  const over = new AbortController();
  const answering = answerAll(anyone, cluster.deeds, over.signal);
  const starting: Promise<string[]>[] = [];
  const more = () => void starting.push(startSessions(anyone, starting.length * BATCH, BATCH, workspaceOf));
  more();
  // The one that the reader follows is sure to be among them.
  await reader.until(50);
  await members[0]?.kill();
  await members[0]?.start();
  await strike(members, schedule(chance, ROUNDS), chance, more);
  const sessions = (await Promise.all(starting)).flat();
  await allEnded(cluster.store);
  over.abort();
  await answering;

  const chronicle = await whatWasSeen(cluster.store, cluster.deeds());
  const streams = new Set(chronicle.events.map(({ stream }) => stream));
  expect(new Set(sessions), where).toEqual(streams);
  expect(streams.size, where).toBe(SESSIONS);
  expect(violations(chronicle), where).toEqual([]);
  const ends = chronicle.events.filter(({ type }) => type === "runtime.request.completed");
  expect(ends.length, where).toBe(SESSIONS);
  expect(await asked((signal) => anyone.call("verifyLog", { body: {}, signal })), where).toMatchObject({
    ok: true,
    broken: [],
  });

  const log = shown(chronicle);
  await reader.until(log.length);
  await reader.stop();
  expect(reader.ids.slice(0, log.length), where).toEqual(log);
  expect(new Set(reader.at).size, where).toBeGreaterThan(1);
  // The faults were felt: others went on with what a process had left.
  const takenOver = chronicle.events.filter(({ type }) => type === "runtime.turn.resumed");
  expect(takenOver.length, where).toBeGreaterThan(0);

  // Who was frozen in the middle of a tool may be at it still.
  await Promise.all(members.map((member) => member.kill()));
  const { events } = chronicle;
  const deeds = cluster.deeds();
  expect(violations({ ...chronicle, deeds }), where).toEqual([]);
  const traces = readTraces(events, projects.repository);
  expect(misplaced({ ...traces, events, deeds }), where).toEqual([]);
  expect(traces.branches.size, where).toBe(Math.ceil(SESSIONS / IN_REPOSITORY));
  expect(changesOf(projects.repository), where).toBe("");
  expect(readdirSync(projects.plain).toSorted(), where).toEqual([".fairlead", "begun.txt", "fairlead.yaml"]);
}, 240_000);
