import { type StreamId, idMaker } from "@fairlead/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventLog } from "../src/ports/event-log.ts";
import {
  type StoreKind,
  SPEC,
  events,
  handClock,
  one,
  openLog,
  readWhole,
  refusal,
  seed,
  state,
  token,
} from "../src/ports/event-log.contract/support.ts";
import { memory, postgres, sqlite } from "./stores.ts";

/** What a stream should look like: a plain list, copied at each fork. */
interface Model {
  readonly id: StreamId;
  /** Whole history as `owner:seq`; index i holds seq i + 1. */
  readonly history: string[];
  base: number;
  floor: number;
  purged: boolean;
}

type Command =
  | {
      readonly do: "append";
      readonly stream: number;
      readonly count: number;
      readonly guard: "none" | "right" | "wrong";
    }
  | { readonly do: "both"; readonly a: number; readonly b: number; readonly guard: "right" | "wrong" }
  | { readonly do: "fork"; readonly stream: number; readonly at: number }
  | { readonly do: "trim"; readonly stream: number; readonly at: number }
  | { readonly do: "purge"; readonly stream: number };

const index = fc.nat({ max: 9 });
const place = fc.double({ min: 0, max: 1, noNaN: true });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      stream: index,
      count: fc.integer({ min: 1, max: 5 }),
      guard: fc.constantFrom("none" as const, "right" as const, "wrong" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("both" as const),
      a: index,
      b: index,
      guard: fc.constantFrom("right" as const, "wrong" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fork" as const), stream: index, at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("trim" as const), stream: index, at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const), stream: index }) },
);

const nextId = idMaker({ now: () => Date.now(), random: Math.random });

class World {
  readonly log: EventLog;
  readonly streams: Model[] = [];

  constructor(log: EventLog) {
    this.log = log;
  }

  async start(): Promise<void> {
    const id = nextId("session");
    events(await this.log.append(one({ stream: id, create: SPEC, events: [state(id)] })));
    this.streams.push({ id, history: [`${id}:1`], base: 0, floor: 0, purged: false });
  }

  pick(n: number): Model {
    return this.streams[n % this.streams.length] as Model;
  }

  grow(model: Model, count: number): void {
    for (let i = 0; i < count; i++) model.history.push(`${model.id}:${model.history.length + 1}`);
  }

  async run(step: Command): Promise<void> {
    switch (step.do) {
      case "append": {
        const model = this.pick(step.stream);
        const head = model.history.length;
        const guard = step.guard === "none" ? {} : { expectedSeq: step.guard === "right" ? head : head + 1 };
        const answer = refusal(
          await this.log.append(
            one({ stream: model.id, events: Array.from({ length: step.count }, () => token("x")), guard }),
          ),
        );
        expect(answer).toBe(
          model.purged ? "session_purged" : step.guard === "wrong" ? "seq_conflict" : "accepted",
        );
        if (answer === "accepted") this.grow(model, step.count);
        return;
      }
      case "both": {
        const [a, b] = [this.pick(step.a), this.pick(step.b)];
        if (a === b) return;
        const guard = { expectedSeq: b.history.length + (step.guard === "right" ? 0 : 1) };
        const answer = refusal(
          await this.log.append({
            writes: [
              { stream: a.id, events: [token("a")] },
              { stream: b.id, events: [token("b")], guard },
            ],
          }),
        );
        expect(answer === "accepted").toBe(!a.purged && !b.purged && step.guard === "right");
        if (answer !== "accepted") return;
        this.grow(a, 1);
        this.grow(b, 1);
        return;
      }
      case "fork": {
        const parent = this.pick(step.stream);
        const seq = Math.floor(step.at * (parent.history.length + 2));
        const id = nextId("session");
        const answer = refusal(
          await this.log.append(
            one({ stream: id, create: { ...SPEC, fork: { parent: parent.id, seq } }, events: [seed(id)] }),
          ),
        );
        const possible = seq >= Math.max(1, parent.floor) && seq <= parent.history.length;
        expect(answer).toBe(parent.purged ? "session_purged" : possible ? "accepted" : "invalid_cursor");
        if (answer !== "accepted") return;
        const child: Model = {
          id,
          history: parent.history.slice(0, seq),
          base: seq,
          floor: parent.floor,
          purged: false,
        };
        this.grow(child, 1);
        this.streams.push(child);
        return;
      }
      case "trim": {
        const model = this.pick(step.stream);
        if (model.purged) return;
        const upTo = Math.max(1, Math.floor(step.at * model.history.length));
        await this.log.trim(model.id, upTo);
        model.floor = Math.max(model.floor, upTo);
        return;
      }
      case "purge": {
        const model = this.pick(step.stream);
        if (model.purged || this.streams.filter((other) => !other.purged).length === 1) return;
        await this.log.purge(model.id);
        model.purged = true;
        return;
      }
    }
  }

  async check(): Promise<void> {
    for (const model of this.streams) {
      if (model.purged) {
        await expect(this.log.read(model.id)).rejects.toMatchObject({ code: "session_purged" });
        continue;
      }
      const gap = (from: number) => (model.floor > from ? [`gap:${from + 1}-${model.floor}`] : []);
      expect(await this.shape(model.id, "full")).toEqual([...gap(0), ...model.history.slice(model.floor)]);
      expect(await this.shape(model.id, "own")).toEqual([
        ...gap(model.base),
        ...model.history.slice(Math.max(model.floor, model.base)),
      ]);
    }
    expect((await this.log.verify()).broken).toEqual([]);
  }

  async shape(id: StreamId, history: "own" | "full"): Promise<string[]> {
    return (await readWhole(this.log, id, history, 5)).map((event) => {
      if (event.type !== "runtime.log.gap") return `${event.stream}:${event.seq}`;
      const { from_seq, to_seq } = event.data as { from_seq: number; to_seq: number };
      return `gap:${from_seq}-${to_seq}`;
    });
  }
}

function logProperties(kind: StoreKind, numRuns: number): void {
  describe(`any history of appends, forks, trims and purges on ${kind.name}`, () => {
    it("reads as a plain list would, and its chain holds", async () => {
      const site = await kind.newSite();
      const clock = handClock();
      const log = openLog(await site.open(clock), clock);
      try {
        await fc.assert(
          fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (steps) => {
            const world = new World(log);
            await world.start();
            for (const step of steps) await world.run(step);
            await world.check();
            // Each history is a database's worth of streams: leave it empty for the next.
            for (const model of world.streams) if (!model.purged) await log.purge(model.id);
          }),
          { numRuns },
        );
      } finally {
        await log.close();
        await site.destroy();
      }
    });
  });
}

logProperties(memory, 150);
logProperties(sqlite, 60);
logProperties(postgres, 12);
