import { openLogged } from "./ahp/logged.ts";
import { openSide, TRANSPORTS } from "./ahp/sides.ts";
import type { Side, TransportName } from "./ahp/sides.ts";
import { policy } from "./policy.ts";

export interface AhpBenchOptions {
  /** Interleaved pairs; the medians are reported. */
  readonly pairs?: number;
  readonly sampleMs?: number;
}

const TURNS = 7;

interface Row {
  rps64: number;
  raw_rps64: number;
  ratio: number;
  p50_1_us: number;
  raw_p50_1_us: number;
}

/** A `pre_action` answered by a constant handler with full validation, beside parse and stringify alone. */
export async function ahp(options: AhpBenchOptions = {}): Promise<Record<string, unknown>> {
  const transports: Record<string, Row> = {};
  for (const name of TRANSPORTS) transports[name] = await measure(name, options);
  console.table(transports);
  const logged = { unix: { rps64: await loggedRate(options) } };
  const { rules, us_per_decision } = await policy();
  return { bench: "ahp", transports, logged, policy: { rules, us_per_decision } };
}

/** Answers a second when each is durable in the log before it is given. */
async function loggedRate({ pairs = 5, sampleMs = 700 }: AhpBenchOptions): Promise<number> {
  const side = await openLogged();
  try {
    await rate(side, 64, sampleMs);
    const samples: number[] = [];
    for (let i = 0; i < pairs; i += 1) samples.push(await rate(side, 64, sampleMs));
    return Math.round(median(samples));
  } finally {
    await side.close();
  }
}

async function measure(name: TransportName, { pairs = 5, sampleMs = 700 }: AhpBenchOptions): Promise<Row> {
  const ours = await openSide("ours", name);
  const raw = await openSide("raw", name);
  try {
    await rate(ours, 64, 2 * sampleMs);
    await rate(raw, 64, 2 * sampleMs);
    const samples: Row[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const [rps64, raw_rps64] = await inTurns(ours, raw, sampleMs);
      const p50_1_us = await latency(ours, sampleMs / 2);
      const raw_p50_1_us = await latency(raw, sampleMs / 2);
      samples.push({ rps64, raw_rps64, ratio: rps64 / raw_rps64, p50_1_us, raw_p50_1_us });
    }
    const of = (key: keyof Row) => median(samples.map((sample) => sample[key]));
    return {
      rps64: Math.round(of("rps64")),
      raw_rps64: Math.round(of("raw_rps64")),
      ratio: Number(of("ratio").toFixed(3)),
      p50_1_us: Math.round(of("p50_1_us")),
      raw_p50_1_us: Math.round(of("raw_p50_1_us")),
    };
  } finally {
    await ours.close();
    await raw.close();
  }
}

/** The rates of a pair, taken in short turns: whatever else the machine does falls on both. */
async function inTurns(ours: Side, raw: Side, sampleMs: number): Promise<[ours: number, raw: number]> {
  const totals: [number, number] = [0, 0];
  for (let turn = 0; turn < TURNS; turn += 1) {
    totals[0] += await rate(ours, 64, sampleMs / TURNS);
    totals[1] += await rate(raw, 64, sampleMs / TURNS);
  }
  return [totals[0] / TURNS, totals[1] / TURNS];
}

/** Answers a second with so many questions always open. */
async function rate(side: Side, open: number, forMs: number): Promise<number> {
  const start = performance.now();
  let count = 0;
  const worker = async () => {
    while (performance.now() - start < forMs) {
      await side.ask();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: open }, worker));
  return (count * 1_000) / (performance.now() - start);
}

/** The median time of one question at a time, in microseconds. */
async function latency(side: Side, forMs: number): Promise<number> {
  const times: number[] = [];
  const start = performance.now();
  for (let before = start; before - start < forMs;) {
    await side.ask();
    const after = performance.now();
    times.push((after - before) * 1_000);
    before = after;
  }
  return median(times);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  console.log(JSON.stringify(await ahp()));
}
