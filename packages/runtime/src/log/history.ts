import type { LogStore, Segment, StreamRow } from "../ports/log-store.ts";

/** The ancestors of a stream, itself last. */
export async function lineage(store: LogStore, row: StreamRow): Promise<readonly StreamRow[]> {
  const line: StreamRow[] = [row];
  for (let parent = row.parent; parent !== null;) {
    const [next] = await store.loadStreams([parent]);
    if (next === undefined) throw new Error(`the parent ${parent} of ${row.id} is not in the store`);
    line.unshift(next);
    parent = next.parent;
  }
  return line;
}

/** Where each part of a stream's whole history lies, oldest first. Given `lineage`, pure. */
export function segments(line: readonly StreamRow[]): readonly Segment[] {
  return line.map((row, i) => ({
    stream: row.id,
    after: row.base_seq,
    upTo: line[i + 1]?.base_seq ?? row.head_seq,
  }));
}

/** The stream of the line that holds this seq, as this line sees it. */
export function ownerOfSeq(line: readonly StreamRow[], seq: number): StreamRow | undefined {
  const index = segments(line).findIndex((segment) => seq > segment.after && seq <= segment.upTo);
  return line[index];
}

/** The hash of the event at `seq` in this line's history, from its row or from an anchor. */
export async function hashAt(
  store: LogStore,
  line: readonly StreamRow[],
  seq: number,
): Promise<Buffer | undefined> {
  const leaf = line.at(-1);
  if (leaf !== undefined && leaf.floor_seq === seq) return leaf.floor_hash;
  const branch = line.find((row) => row.parent !== null && row.base_seq === seq);
  if (branch !== undefined) return branch.base_hash;
  const owner = ownerOfSeq(line, seq);
  if (owner === undefined) return undefined;
  const [event] = await store.scanHashes(owner.id, seq - 1, 1);
  return event?.seq === seq ? event.hash : undefined;
}
