import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@fairlead/client";
import { median, round, table } from "./measure.ts";
import { type Child, startChild } from "./turn/child.ts";

export interface SessionsBenchOptions {
  readonly parked?: number;
  readonly at_once?: number;
  /** Starts of each kind; the median counts. */
  readonly starts?: number;
}

interface Served {
  readonly child: Child;
  readonly client: Client;
  readonly start_ms: number;
}

const MB = 1024 * 1024;
const PAGE = 50;
/** How long a server is left alone before its memory is looked at. */
const CALM_MS = 1_500;

async function serve(data: string, work: string): Promise<Served> {
  const began = performance.now();
  const child = startChild("../sessions/server-process.ts", data, work);
  const { url, token } = await child.hear("listening");
  const start_ms = performance.now() - began;
  return { child, client: createClient({ url: String(url), token: String(token) }), start_ms };
}

async function rssOf({ child }: Served): Promise<number> {
  await sleep(CALM_MS);
  const heard = child.hear("memory");
  child.send({ is: "memory" });
  return Number((await heard)["rss"]) / MB;
}

/** Starts it some times over the same data: how long that takes, and what it holds then. */
async function started(data: string, work: string, starts: number, parked: number) {
  const times: number[] = [];
  const memory: number[] = [];
  const lists: number[] = [];
  for (let i = 0; i < starts; i++) {
    const served = await serve(data, work);
    times.push(served.start_ms);
    memory.push(await rssOf(served));
    const began = performance.now();
    const { rows } = await served.client.call("listSessions", {
      query: { kind: "background", status: "awaiting_approval", limit: PAGE },
    });
    lists.push(performance.now() - began);
    if (rows.length !== Math.min(PAGE, parked)) throw new Error(`${rows.length} of them are listed`);
    await served.child.close();
  }
  return { start_ms: median(times), rss_mb: median(memory), list_ms: median(lists) };
}

/** Parks them through the API, each on a real approval. */
async function park(client: Client, parked: number, atOnce: number): Promise<void> {
  let next = 0;
  const starter = async (): Promise<void> => {
    while (next < parked) {
      const task = `Write file ${next++}.`;
      await client.call("startSession", { body: { task } });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, starter));
  for (let waiting = 0; waiting < parked;) {
    waiting = 0;
    for (let cursor: string | undefined; ;) {
      const page = await client.call("listQuestions", { query: { state: "pending", limit: 1000, cursor } });
      waiting += page.rows.length;
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
    if (waiting < parked) await sleep(200);
  }
}

/** What many sessions that wait for people cost a server. */
export async function sessions(given: SessionsBenchOptions = {}): Promise<Record<string, unknown>> {
  const { parked = 10_000, at_once = 32, starts = 3 } = given;
  const data = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const work = mkdtempSync(join(tmpdir(), "fairlead-bench-work-"));
  try {
    // The first start makes the store.
    await (await serve(data, work)).child.close();
    const empty = await started(data, work, starts, 0);
    const busy = await serve(data, work);
    const began = performance.now();
    await park(busy.client, parked, at_once);
    const park_s = (performance.now() - began) / 1_000;
    const rss_mb_after_parking = await rssOf(busy);
    await busy.child.close();
    const full = await started(data, work, starts, parked);
    const result = {
      bench: "sessions",
      parked,
      rss_mb: round(full.rss_mb, 1),
      rss_mb_empty: round(empty.rss_mb, 1),
      start_ms: round(full.start_ms),
      start_ms_empty: round(empty.start_ms),
      list_ms: round(full.list_ms, 1),
      parked_per_s: round(parked / park_s),
      rss_mb_after_parking: round(rss_mb_after_parking, 1),
    };
    table(
      ["", "empty", `${parked} parked`],
      [
        ["start, ms", result.start_ms_empty, result.start_ms],
        ["memory, MB", result.rss_mb_empty, result.rss_mb],
        ["first page of them, ms", "", result.list_ms],
      ],
    );
    return result;
  } finally {
    rmSync(data, { recursive: true, force: true });
    rmSync(work, { recursive: true, force: true });
  }
}
