import { setImmediate as immediate } from "node:timers/promises";
import type { BlobRef, StreamId } from "@fairlead/contract";
import type { Broken } from "../ports/event-log.ts";
import type { LogStore, StreamRow } from "../ports/log-store.ts";
import { chainHash } from "./chain.ts";
import { isBlob } from "./offload.ts";
import { type Range, kept } from "./retention.ts";

const PAGE = 2_000;

export interface Verification {
  readonly streams: number;
  readonly events: number;
  readonly broken: Broken[];
}

type HashedRow = Awaited<ReturnType<LogStore["scanHashes"]>>[number];

/** Checks the chain of one stream or of all; names the first fault of each. */
export async function verifyLog(
  store: LogStore,
  only: StreamId | undefined,
  progress: (checked: number) => void,
): Promise<Verification> {
  let streams = 0;
  let events = 0;
  const broken: Broken[] = [];
  for await (const row of rowsOf(store, only)) {
    const checked = await verifyTwice(store, row);
    streams += 1;
    events += checked.events;
    if (checked.fault !== undefined) broken.push({ stream: row.id, ...checked.fault });
    progress(events);
  }
  return { streams, events, broken };
}

async function* rowsOf(store: LogStore, only: StreamId | undefined): AsyncGenerator<StreamRow> {
  if (only !== undefined) {
    yield* await store.loadStreams([only]);
    return;
  }
  let after: StreamId | "" = "";
  for (;;) {
    const page: readonly StreamRow[] = await store.listStreams(after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

type Fault = Omit<Broken, "stream">;

/** Hashes from which a chain may be taken up again after events that were dropped. */
function anchorsOf(row: StreamRow, family: readonly StreamRow[]): Map<number, Buffer> {
  const anchors = new Map<number, Buffer>([[row.base_seq, row.base_hash]]);
  for (const member of family) {
    if (
      member.floor_seq > row.base_seq &&
      member.floor_seq <= row.head_seq &&
      readsThrough(member, row, family)
    ) {
      anchors.set(member.floor_seq, member.floor_hash);
    }
  }
  return anchors;
}

/** Whether `member` sees this seq range of `row` as its own history. */
function readsThrough(member: StreamRow, row: StreamRow, family: readonly StreamRow[]): boolean {
  let upTo = member.head_seq;
  for (let at: StreamRow | undefined = member; at !== undefined;) {
    if (at.id === row.id) return member.floor_seq <= upTo;
    upTo = at.base_seq;
    const parent: StreamId | null = at.parent;
    at = parent === null ? undefined : family.find((other) => other.id === parent);
  }
  return false;
}

/** A trim or purge meanwhile looks like a fault: what is found is looked at once more, with the stream as it is then. */
async function verifyTwice(store: LogStore, row: StreamRow): Promise<Checked> {
  const first = await verifyStream(store, row);
  if (first.fault === undefined) return first;
  const [now] = await store.loadStreams([row.id]);
  return now === undefined ? first : verifyStream(store, now);
}

interface Checked {
  readonly events: number;
  readonly fault?: Fault;
}

async function verifyStream(store: LogStore, row: StreamRow): Promise<Checked> {
  const family = await store.family(row.root);
  const needed = kept(family).get(row.id) ?? [];
  const anchors = anchorsOf(row, family);
  let events = 0;
  let seq = row.base_seq;
  let hash: Buffer = row.base_hash;
  for (;;) {
    const page = await store.scanHashes(row.id, seq, PAGE);
    for (const event of page) {
      const fault = checkGap(seq, event.seq, needed) ?? undefined;
      if (fault !== undefined) return { events, fault };
      if (event.seq !== seq + 1) {
        const anchor = anchors.get(event.seq - 1);
        if (anchor === undefined)
          return {
            events,
            fault: {
              seq: event.seq,
              id: event.id,
              reason: "the events before it are gone and no anchor was left",
            },
          };
        hash = anchor;
      }
      const wrong = checkEvent(event, hash) ?? (await checkBlobs(store, row.id, event));
      if (wrong !== undefined) return { events, fault: { seq: event.seq, id: event.id, reason: wrong } };
      seq = event.seq;
      hash = event.hash;
      events += 1;
    }
    if (page.length < PAGE) break;
    // Others have their turn: the check of a large log must not stop its server.
    await immediate();
  }
  const missing = checkGap(seq, row.head_seq + 1, needed);
  if (missing !== undefined) return { events, fault: missing };
  if (seq === row.head_seq && !hash.equals(row.head_hash)) {
    return {
      events,
      fault: { seq, id: null, reason: "the stream's record of its last hash does not fit its last event" },
    };
  }
  return { events };
}

/** A fault when an event that should be there lies strictly between the two. */
function checkGap(from: number, to: number, needed: readonly Range[]): Fault | undefined {
  const lost = needed.find((range) => range.from < to && range.to > from);
  if (lost === undefined || to === from + 1) return undefined;
  return { seq: Math.max(from + 1, lost.from), id: null, reason: "this event is missing" };
}

function checkEvent(event: HashedRow, previous: Buffer): string | undefined {
  const hash = chainHash(previous.toString("hex"), event.seq, event.body);
  if (!Buffer.from(hash, "hex").equals(event.hash)) return "its content does not fit the hash chain";
  const head = `{"id":"${event.id}",`;
  if (!event.body.startsWith(head)) return "its id does not fit its content";
  if (!event.body.slice(head.length, head.length + 200).includes(`"type":"${event.type}"`))
    return "its type does not fit its content";
  return undefined;
}

/** What was moved out of an event is covered by the hash of its content, which the chain covers. */
async function checkBlobs(store: LogStore, stream: StreamId, event: HashedRow): Promise<string | undefined> {
  if (!event.body.includes('"blobs":{"')) return undefined;
  const { blobs = {} } = JSON.parse(event.body) as { blobs?: Record<string, BlobRef> };
  for (const [pointer, { sha256 }] of Object.entries(blobs)) {
    const bytes = await store.blob(sha256, [{ stream, after: event.seq - 1, upTo: event.seq }]);
    if (bytes === undefined) return `the blob of ${pointer || "its data"} is missing`;
    if (!isBlob(bytes, sha256)) return `the blob of ${pointer || "its data"} is not what was written`;
  }
  return undefined;
}
