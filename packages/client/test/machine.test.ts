import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ServerError, ServerUnreachable } from "../src/errors.ts";
import {
  advance,
  begin,
  type Item,
  MOST_RETRY_MS,
  type Report,
  type State,
  type Step,
} from "../src/stream/machine.ts";

type Frame = string;
const frame = (at: number): Item<Frame> => ({ at, frame: `e${at}` });
const lost = { kind: "lost", error: new ServerUnreachable("cut") } as const;

/** How one connection misbehaves. Indexes are taken modulo what there is to send. */
interface Fault {
  readonly refused: boolean;
  readonly cutAfter: number | null;
  readonly dropped: readonly number[];
  readonly repeated: readonly number[];
  readonly swapped: readonly number[];
  readonly pagesFail: boolean;
  /** Tells the cursor when nothing else is wrong, as the server does for events that have no frame. */
  readonly tellsCursor: boolean;
}

interface World {
  /** Whether event 1, 2, 3 … has a frame on this face. */
  readonly shown: readonly boolean[];
  readonly floor: number;
  readonly pageSize: number;
}

/** What a reader after this cursor is due, as server and pages both give it. */
function due({ shown, floor }: World, after: number): Item<Frame>[] {
  const items: Item<Frame>[] = after < floor ? [{ at: floor, from: after + 1, frame: `gap${floor}` }] : [];
  shown.forEach((has, i) => {
    if (has && i + 1 > Math.max(after, floor)) items.push(frame(i + 1));
  });
  return items;
}

function pageOf(world: World, after: number): Report<Frame> {
  const head = world.shown.length;
  const from = Math.max(after, world.floor);
  const next = from + world.pageSize >= head ? null : from + world.pageSize;
  return { kind: "page", items: due(world, after).filter(({ at }) => at! <= (next ?? head)), next, head };
}

function sent(world: World, after: number, fault: Fault, contiguous: boolean): Report<Frame>[] {
  const items = due(world, after);
  const plain = fault.dropped.length + fault.swapped.length === 0;
  if (contiguous) {
    for (const i of fault.swapped) {
      const a = i % Math.max(1, items.length - 1);
      const [first, second] = [items[a], items[a + 1]];
      if (first && second) [items[a], items[a + 1]] = [second, first];
    }
    for (const i of fault.dropped) if (items.length > 0) items.splice(i % items.length, 1);
  }
  for (const i of fault.repeated) {
    const at = 1 + (i % Math.max(1, items.length));
    const earlier = items[(i * 7) % at];
    if (earlier) items.splice(at, 0, earlier);
  }
  const reports: Report<Frame>[] = [];
  let seen = after;
  for (const item of items) {
    if (fault.tellsCursor && plain && fault.repeated.length === 0 && item.at! > seen + 1) {
      reports.push({ kind: "cursor", at: (item.from ?? item.at!) - 1 });
    }
    reports.push({ kind: "frame", item });
    seen = item.at!;
  }
  return fault.cutAfter === null ? reports : reports.slice(0, fault.cutAfter % (reports.length + 1));
}

/** Performs the orders against the world until the reader has been through all connections. */
function follow(world: World, after: number, faults: readonly Fault[], contiguous = true) {
  const delivered: Item<Frame>[] = [];
  const connections = [...faults, null];
  let fault: Fault | null = null;
  let reports: Report<Frame>[] = [];
  let step = begin<Frame>(after, contiguous);
  for (let turns = 0; turns < 10_000; turns++) {
    delivered.push(...step.deliver);
    let report: Report<Frame>;
    switch (step.order.do) {
      case "fail":
        throw step.order.error;
      case "connect": {
        if (connections.length === 0) return { delivered, state: step.state };
        fault = connections.shift() ?? null;
        const none: Fault = {
          refused: false,
          cutAfter: null,
          dropped: [],
          repeated: [],
          swapped: [],
          pagesFail: false,
          tellsCursor: false,
        };
        reports = sent(world, step.order.after, fault ?? none, contiguous);
        report = fault?.refused ? lost : { kind: "opened" };
        break;
      }
      case "read":
        report = reports.shift() ?? lost;
        break;
      case "fetch":
        report = fault?.pagesFail ? lost : pageOf(world, step.order.after);
        break;
      case "wait":
        report = { kind: "waited" };
    }
    step = advance(step.state, report);
  }
  throw new Error("does not come to an end");
}

const index = fc.nat({ max: 60 });
const few = fc.array(index, { maxLength: 4 });
const faultArb: fc.Arbitrary<Fault> = fc.record({
  refused: fc.boolean(),
  cutAfter: fc.option(index),
  dropped: few,
  repeated: few,
  swapped: few,
  pagesFail: fc.boolean(),
  tellsCursor: fc.boolean(),
});
const worldArb = fc
  .record({
    shown: fc.array(fc.boolean(), { maxLength: 50 }),
    floor: fc.nat({ max: 50 }),
    pageSize: fc.integer({ min: 1, max: 20 }),
  })
  .map((world) => ({ ...world, floor: Math.min(world.floor, world.shown.length) }));

describe("a follower ends with exactly the log", () => {
  test("of one session, whatever connections lose, repeat or swap", () => {
    fc.assert(
      fc.property(
        worldArb,
        fc.nat({ max: 55 }),
        fc.array(faultArb, { maxLength: 6 }),
        (world, start, faults) => {
          const after = Math.min(start, world.shown.length);
          const { delivered } = follow(world, after, faults);
          const plain = (items: readonly Item<Frame>[]) =>
            items.filter((item) => item.from === undefined).map(({ frame }) => frame);
          expect(plain(delivered)).toEqual(plain(due(world, after)));
          const cursors = delivered.map(({ at }) => at!);
          expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("of all sessions, whatever connections cut off or repeat", () => {
    fc.assert(
      fc.property(worldArb, fc.array(faultArb, { maxLength: 6 }), (world, faults) => {
        const { delivered } = follow(world, world.floor, faults, false);
        expect(delivered).toEqual(due(world, world.floor));
      }),
      { numRuns: 1_000 },
    );
  });
});

const open = (state: Partial<State<Frame>> = {}): State<Frame> => ({
  ...begin<Frame>(0, true).state,
  ...state,
});

describe("one step", () => {
  test("a jump is asked about before it is believed", () => {
    const step = advance(open({ cursor: 4 }), { kind: "frame", item: frame(7) });
    expect(step).toMatchObject({ deliver: [], order: { do: "fetch", after: 4, missing: 2 } });
    const filled = advance(step.state, {
      kind: "page",
      items: [frame(5), frame(7), frame(8)],
      next: null,
      head: 8,
    });
    expect(filled.deliver.map(({ at }) => at)).toEqual([5, 7, 8]);
    expect(filled.state).toMatchObject({ cursor: 8, held: null });
  });

  test("an explicit gap is passed on and needs no question", () => {
    const gap: Item<Frame> = { at: 9, from: 1, frame: "gap" };
    expect(advance(open(), { kind: "frame", item: gap })).toMatchObject({
      deliver: [gap],
      order: { do: "read" },
      state: { cursor: 9 },
    });
  });

  test("a page whose head is behind what was sent moves nothing, and is waited out", () => {
    const { state } = advance(open({ cursor: 4 }), { kind: "frame", item: frame(9) });
    const step = advance(state, { kind: "page", items: [frame(5)], next: null, head: 5 });
    expect(step).toMatchObject({ order: { do: "wait" }, state: { cursor: 5, held: null } });
    expect(step.deliver).toEqual([frame(5)]);
  });

  test("what has no cursor is delivered and moves none", () => {
    const item = { at: null, frame: "session" };
    expect(advance(open({ cursor: 3 }), { kind: "frame", item })).toMatchObject({
      deliver: [item],
      state: { cursor: 3 },
    });
  });

  test.each([400, 401, 403, 404, 410])("status %i ends it", (status) => {
    const error = new ServerError(status, {
      code: "unauthorized",
      message: "no",
      hint: "",
      request_id: "req_1",
    });
    expect(advance(open(), { kind: "lost", error }).order).toEqual({ do: "fail", error });
  });

  test.each([408, 429, 500, 502, 503])("status %i is waited out", (status) => {
    const error = new ServerUnreachable("proxy", { status });
    expect(advance(open(), { kind: "lost", error }).order).toMatchObject({ do: "wait", error });
  });
});

describe("waiting", () => {
  const fail = (step: Step<Frame>) => advance(advance(step.state, lost).state, { kind: "waited" });
  const bounds = (state: State<Frame>, error: unknown = lost.error) => {
    const { order } = advance(state, { kind: "lost", error });
    return order.do === "wait" ? [order.atLeast, order.atMost] : [];
  };

  test("doubles up to a ceiling and starts over after a sign of life", () => {
    let step = begin<Frame>(0, true);
    const ceilings: number[] = [];
    for (let i = 0; i < 40; i++) {
      ceilings.push(bounds(step.state)[1]!);
      step = fail(step);
    }
    expect(ceilings.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(ceilings.at(-1)).toBe(MOST_RETRY_MS);
    expect(bounds(advance(step.state, { kind: "opened" }).state)[1]).toBe(MOST_RETRY_MS);
    expect(bounds(advance(step.state, { kind: "alive" }).state)[1]).toBe(1_000);
  });

  test("follows the server's retry, within reason, and its Retry-After", () => {
    expect(bounds(advance(open(), { kind: "retry", ms: 500 }).state)).toEqual([250, 500]);
    expect(bounds(advance(open(), { kind: "retry", ms: 0 }).state)).toEqual([50, 100]);
    expect(bounds(advance(open(), { kind: "retry", ms: 9e9 }).state)[1]).toBe(MOST_RETRY_MS);
    const busy = new ServerError(
      503,
      { code: "too_many_connections", message: "", hint: "", request_id: "" },
      20_000,
    );
    expect(bounds(open(), busy)).toEqual([20_000, 30_000]);
  });
});
