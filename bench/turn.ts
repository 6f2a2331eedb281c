import { DatabaseSync } from "node:sqlite";
import { type Pair, interleaved, median, rate, round, summary, table } from "./measure.ts";
import { type Child, startChild } from "./turn/child.ts";
import { type OurSession, type Ours, openOurs } from "./turn/ours.ts";
import { type Body, type Raw, openRaw } from "./turn/raw.ts";
import { ONE_TOOL, TEXT } from "./turn/script.ts";
import { openServed } from "./turn/served.ts";
import { where } from "./turn/where.ts";

export interface TurnBenchOptions {
  /** Turns before anything counts: of a program that has just started, half the time is the compiler's. */
  readonly warm?: number;
  /** Interleaved pairs of one turn each. */
  readonly pairs?: number;
  /** Interleaved pairs of many turns at once. */
  readonly crowds?: number;
  /** Deep sessions, each compared with a new one. */
  readonly deep?: number;
  /** The turn that counts as deep. */
  readonly depth?: number;
  readonly at_once?: number;
}

interface Sides {
  readonly ours: Ours;
  readonly raw: Raw;
  readonly options: Required<TurnBenchOptions>;
}

const DEFAULTS = { warm: 1_500, pairs: 400, crowds: 10, deep: 60, depth: 60, at_once: 32 };
const PATH = "/v1/chat/completions";

/** A turn of ours, everything durable, beside the same calls with no framework. */
export async function turn(given: TurnBenchOptions = {}): Promise<Record<string, unknown>> {
  const options = { ...DEFAULTS, ...given };
  const model = startChild("./model-process.ts");
  const url = String((await model.hear("listening"))["url"]);
  const ours = await openOurs(url);
  const raw = openRaw(url, PATH);
  const sides = { ours, raw, options };
  try {
    const toolBody = await bodyOf(model, ours, ONE_TOOL);
    const textBody = await bodyOf(model, ours, TEXT);
    const one = await single(sides, ONE_TOOL, toolBody);
    const crowd = await crowded(sides, toolBody);
    const text = await single(sides, TEXT, textBody);
    const result = {
      bench: "turn",
      one_tool: {
        p50_ms: round(one.ours, 2),
        raw_p50_ms: round(one.raw, 2),
        ratio: round(one.ratio, 2),
        turns_per_s_32: round(crowd.ours),
        raw_turns_per_s_32: round(crowd.raw),
      },
      text200: {
        p50_ms: round(text.ours, 2),
        raw_p50_ms: round(text.raw, 2),
        ratio: round(text.ratio, 2),
        first_token_over_raw_ms: round(text.firstOverRaw, 2),
      },
      served: { one_tool_ratio: round(await served(sides, url, toolBody), 2) },
      deep_ratio: round(await deepRatio(sides), 2),
      ...(await stored(ours)),
    };
    report(result);
    for (const input of [ONE_TOOL, TEXT]) {
      console.log(`\nwhere the time goes: ${input}`);
      await where(url, input, options.pairs);
    }
    return result;
  } finally {
    raw.close();
    await ours.close();
    await model.close();
  }
}

/** The first request of such a turn as ours sends it: the bare loop sends the same. */
async function bodyOf(model: Child, ours: Ours, input: string): Promise<Body> {
  model.send({ is: "record" });
  const session = await ours.session();
  await session.turn(input);
  session.close();
  const heard = model.hear("bodies");
  model.send({ is: "report" });
  const [body] = (await heard)["bodies"] as Body[];
  if (body === undefined) throw new Error("the model was not asked");
  return body;
}

async function single({ ours, raw, options }: Sides, input: string, body: Body) {
  const firsts: { ours: number[]; raw: number[] } = { ours: [], raw: [] };
  const timedOurs = async () => {
    const session = await ours.session();
    const clock = stopwatch();
    await session.turn(input, clock.first);
    const ms = clock.now();
    firsts.ours.push(clock.heard());
    session.close();
    return ms;
  };
  const timedRaw = async () => {
    const clock = stopwatch();
    await raw.turn(body, clock.first);
    firsts.raw.push(clock.heard());
    return clock.now();
  };
  await interleaved(options.warm, timedOurs, timedRaw);
  firsts.ours.length = firsts.raw.length = 0;
  const found = summary(await interleaved(options.pairs, timedOurs, timedRaw));
  return { ...found, firstOverRaw: median(firsts.ours) - median(firsts.raw) };
}

function stopwatch() {
  const from = performance.now();
  let first = 0;
  return {
    first: () => void (first ||= performance.now() - from),
    heard: () => first,
    now: () => performance.now() - from,
  };
}

/** Turns a second with so many sessions at once. */
async function crowded({ ours, raw, options }: Sides, body: Body) {
  const { at_once, crowds } = options;
  const each = 4;
  const all = (work: (i: number) => Promise<unknown>) =>
    rate(at_once * each, () =>
      Promise.all(
        Array.from({ length: at_once }, async (_, i) => {
          for (let n = 0; n < each; n++) await work(i * each + n);
        }),
      ),
    );
  const oursAtOnce = async () => {
    const sessions: OurSession[] = [];
    for (let i = 0; i < at_once * each; i++) sessions.push(await ours.session());
    const found = await all(async (i) => sessions[i]?.turn(ONE_TOOL));
    for (const session of sessions) session.close();
    return found;
  };
  const rawAtOnce = () => all(() => raw.turn(body));
  await oursAtOnce();
  await rawAtOnce();
  return summary(await interleaved(crowds, oursAtOnce, rawAtOnce));
}

async function served({ raw, options }: Sides, url: string, body: Body): Promise<number> {
  const far = await openServed(url);
  const timedServed = async () => {
    const session = await far.session();
    const clock = stopwatch();
    await session.turn(ONE_TOOL);
    const ms = clock.now();
    session.close();
    return ms;
  };
  const timedRaw = async () => {
    const clock = stopwatch();
    await raw.turn(body);
    return clock.now();
  };
  try {
    await interleaved(options.warm, timedServed, timedRaw);
    return summary(await interleaved(options.pairs, timedServed, timedRaw)).ratio;
  } finally {
    await far.close();
  }
}

/** The last turn of a long session, as it comes, beside the first of a new one. */
async function deepRatio({ ours, options }: Sides): Promise<number> {
  const { deep, depth } = options;
  const timed = async (session: OurSession) => {
    const clock = stopwatch();
    await session.turn(ONE_TOOL);
    const ms = clock.now();
    session.close();
    return ms;
  };
  const pairs: readonly Pair[] = await interleaved(
    deep,
    async () => {
      const session = await ours.session();
      for (let n = 1; n < depth; n++) await session.turn(ONE_TOOL);
      return timed(session);
    },
    async () => timed(await ours.session()),
  );
  return summary(pairs).ratio;
}

/** What is kept of one turn: its events, and by how much the database grows with them. */
async function stored(ours: Ours): Promise<{ durable_events_per_turn: number; bytes_per_turn: number }> {
  const turns = 50;
  const session = await ours.session();
  const head = async () => (await ours.runtime.log.stream(session.id))?.head_seq ?? 0;
  const before = await head();
  const size = databaseBytes(ours.file);
  for (let i = 0; i < turns; i++) await session.turn(ONE_TOOL);
  const after = await head();
  session.close();
  return {
    durable_events_per_turn: round((after - before) / turns, 1),
    bytes_per_turn: round((databaseBytes(ours.file) - size) / turns),
  };
}

function databaseBytes(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const of = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  const bytes = of("page_count") * of("page_size");
  db.close();
  return bytes;
}

function report(result: Record<string, unknown>): void {
  const rows = Object.entries(result).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([field, found]) => [`${name}.${field}`, String(found)])
      : [[name, String(value)]],
  );
  table(["figure", "found"], rows);
}
