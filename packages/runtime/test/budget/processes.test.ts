import type { SessionId } from "@fairlead/contract";
import { expect, it, onTestFinished } from "vitest";
import { is } from "../../src/domain/event.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { Model } from "../../src/ports/model.ts";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, look } from "../golden/scene.ts";
import { freshDatabase } from "../support/postgres.ts";
import { everything, handTime, type World, world } from "../support/world.ts";

const LOOK = (what: string): Step => ({ call: "look", with: { what } });
const RULES = [
  {
    when: "begin",
    rounds: [
      ["a", "b"].map((hole): Step => ({ call: "delegate", with: { task: `Dig ${hole}.` } })),
      [{ say: "Dug." } as Step],
    ],
  },
  { when: "dig", rounds: [[LOOK("one")], [LOOK("two")], [LOOK("three")], [{ say: "Deep." } as Step]] },
];

/** Uses all that it is held to. */
function greedy(): Model {
  const scripted = scriptedModel({ script: { rules: RULES } as never });
  return {
    ...scripted,
    async *stream(request, signal) {
      const output_tokens = request.max_output_tokens ?? 100;
      for await (const part of scripted.stream(request, signal))
        yield part.type === "usage" ? { ...part, output_tokens } : part;
    },
  };
}

/** Opens for all at once, as soon as so many stand before it; after that it stands open. */
function barrier(count: number) {
  const met = Promise.withResolvers<void>();
  let here = 0;
  return async () => {
    if (++here === count) met.resolve();
    await met.promise;
  };
}

it("a budget that was lowered is not passed by calls that two processes make at the same moment", async () => {
  const url = await freshDatabase();
  const meet = barrier(2);
  let lowered = false;
  const children = new Set<string>();
  const owners = new Map<string, string>();
  /** Each process drives one of the two, and both put aside at once. */
  const apart =
    (name: string) =>
    (log: EventLog): EventLog => ({
      ...log,
      async acquireLease(stream, ...rest) {
        const info = await log.stream(stream);
        if (info?.kind === "subagent") {
          const taken = [...owners.values()].includes(name);
          const owner = owners.get(stream) ?? (taken ? undefined : name);
          if (owner !== name || !lowered) return undefined;
          owners.set(stream, name);
          children.add(stream);
        }
        return log.acquireLease(stream, ...rest);
      },
      async append(append) {
        const reserves = append.writes.some(
          ({ stream, events }) =>
            children.has(stream) && events.some(({ type }) => type === "runtime.budget.reserved"),
        );
        if (reserves) await meet();
        return log.append(append);
      },
    });
  const open = async (mark: string): Promise<World> => {
    const store = await openPostgresStore({ url });
    const time = handTime(Date.now());
    const w = world({ store, time, mark, models: [greedy()], tools: [delegate(), look], wrap: apart(mark) });
    onTestFinished(async () => {
      await w.services.turns.stop("The test is over.");
      await w.log.close();
    });
    return w;
  };
  const [a, b] = [await open("a"), await open("b")];
  const policy = { health: { max_total_tokens: 2_000_000, action: "pause" as const } };
  const { session_id: id } = await a.services.kernel.start(ADA, { task: "begin", policy });
  const all = async (): Promise<readonly SessionId[]> => {
    const { rows } = await a.services.sessions.list(ADA, { kind: "subagent" });
    return [id, ...rows.map(({ session_id }) => session_id as SessionId)];
  };
  const until = async (isSo: () => Promise<boolean>) => {
    for (let looks = 0; looks < 600; looks++) {
      if (await isSo()) return;
      for (const w of [a, b]) {
        await w.services.turns.recover();
        await w.time.advance(250);
      }
    }
    throw new Error("It never was so.");
  };
  await until(async () => (await all()).length === 3);
  const used = async () => {
    const logs = await Promise.all((await all()).map((one) => everything(a.log, one)));
    return logs
      .flat()
      .reduce(
        (sum, event) =>
          sum + (is(event, "agent.usage") && !event.data.subagent ? event.data.total_tokens : 0),
        0,
      );
  };
  const limit = (await used()) + 4_000;
  await a.services.kernel.setPolicy(ADA, id, { health: { max_total_tokens: limit } });
  lowered = true;
  await until(async () => (await a.services.sessions.get(ADA, id)).status === "paused");
  expect(owners.size).toBe(2);
  expect(await used()).toBeLessThanOrEqual(limit);
  expect([...a.reported, ...b.reported]).toEqual([]);
}, 60_000);
