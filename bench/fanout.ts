import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { median, percentile, round, table } from "./measure.ts";

const SUBSCRIBERS = 1_000;
const EVENTS = 150;
const EVERY_MS = 25;
const PAIRS = 3;

interface Result {
  readonly delivered: number;
  readonly cpuUs: number;
  readonly latencies: readonly number[];
}

type Message = { readonly is: string } & Record<string, unknown>;

function start(file: string, ...args: string[]): ChildProcess {
  return fork(new URL(`./fanout/${file}`, import.meta.url), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

async function hear(child: ChildProcess, is: string): Promise<Message> {
  for (;;) {
    const [message] = (await once(child, "message")) as [Message];
    if (message.is === is) return message;
  }
}

/** One process serves, another holds all subscribers: only the server's time is counted. */
async function run(kind: "ours" | "raw"): Promise<Result> {
  const server = start(`${kind}-server.ts`);
  const { url, token } = await hear(server, "listening");
  const readers = start("subscribers.ts", String(url), String(token), String(SUBSCRIBERS), String(EVENTS));
  await hear(readers, "connected");
  server.send({ is: "publish", events: EVENTS, everyMs: EVERY_MS });
  const { cpuUs } = await hear(server, "published");
  readers.send({ is: "finish" });
  const { delivered, latencies } = await hear(readers, "done");
  for (const child of [readers, server]) {
    child.kill();
    await once(child, "exit");
  }
  return { delivered: delivered as number, cpuUs: cpuUs as number, latencies: latencies as number[] };
}

export async function fanout(): Promise<Record<string, unknown>> {
  const expected = SUBSCRIBERS * EVENTS;
  const ours: Result[] = [];
  const raw: Result[] = [];
  for (let i = 0; i < PAIRS; i++) {
    const first = i % 2 === 0;
    for (const kind of first ? (["ours", "raw"] as const) : (["raw", "ours"] as const)) {
      console.error(`pair ${i + 1} of ${PAIRS}: ${kind} …`);
      (kind === "ours" ? ours : raw).push(await run(kind));
    }
  }
  const perDelivery = (results: readonly Result[]) =>
    median(results.map((result) => result.cpuUs / expected));
  const p99 = (results: readonly Result[]) =>
    median(results.map((result) => percentile(result.latencies, 0.99)));
  const sse = {
    subscribers: SUBSCRIBERS,
    expected,
    delivered: Math.min(...ours.map((result) => result.delivered)),
    cpu_us_per_delivery: round(perDelivery(ours), 2),
    raw_cpu_us_per_delivery: round(perDelivery(raw), 2),
    ratio: round(median(ours.map((result, i) => result.cpuUs / (raw[i] as Result).cpuUs)), 2),
    p99_ms: round(p99(ours), 1),
    raw_p99_ms: round(p99(raw), 1),
  };
  table(Object.keys(sse), [Object.values(sse)]);
  return { bench: "fanout", sse };
}
