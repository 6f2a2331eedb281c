import type { StreamId } from "@fairlead/contract";
import type { ProjectedRow } from "../../ports/log-store.ts";

/** A record of late rows as it lies in the database: parts of one size, so that each fills a page and is replaced in place. */
export const PART_BYTES = 3_900;
const HEAD_BYTES = 20;
const ROOM = PART_BYTES - HEAD_BYTES;

export interface LateRecord {
  /** Counts up, over all records ever. */
  readonly no: number;
  readonly rows: readonly ProjectedRow[];
}

/** Whether it can be put into a record: documents are written there as they are, each on a line of its own. JSON always can. */
export function fitsRecord({ doc }: ProjectedRow): boolean {
  return !doc.includes("\n");
}

function textOf(rows: readonly ProjectedRow[]): string {
  let text = "";
  for (const { kind, id, stream, state, at, doc } of rows)
    text += `${JSON.stringify([kind, id, stream, state, at])}\n${doc}\n`;
  return text;
}

function rowsIn(text: string): ProjectedRow[] {
  const lines = text.split("\n");
  return Array.from({ length: (lines.length - 1) / 2 }, (_, i) => {
    const [kind, id, stream, state, at] = JSON.parse(lines[2 * i] ?? "") as RowHead;
    return { kind, id, stream, state, at, doc: lines[2 * i + 1] ?? "" };
  });
}

type RowHead = [kind: string, id: string, stream: StreamId, state: string, at: number];

export function toParts({ no, rows }: LateRecord): Buffer[] {
  const bytes = Buffer.from(textOf(rows));
  const count = Math.ceil(bytes.length / ROOM);
  return Array.from({ length: count }, (_, index) => {
    const part = Buffer.alloc(PART_BYTES);
    part.writeDoubleLE(no, 0);
    part.writeUInt32LE(index, 8);
    part.writeUInt32LE(count, 12);
    part.writeUInt32LE(bytes.copy(part, HEAD_BYTES, index * ROOM, (index + 1) * ROOM), 16);
    return part;
  });
}

/** The number of the record that a part belongs to; 0 where it was cleared. */
export function numberOf({ buffer, byteOffset }: Uint8Array): number {
  return new DataView(buffer, byteOffset).getFloat64(0, true);
}

/** The records that these are the parts of, oldest first. */
export function fromParts(parts: readonly Uint8Array[]): LateRecord[] {
  const found = new Map<number, Buffer[]>();
  for (const bytes of parts) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const no = numberOf(part);
    const record = found.get(no) ?? [];
    found.set(no, record);
    record[part.readUInt32LE(8)] = part.subarray(HEAD_BYTES, HEAD_BYTES + part.readUInt32LE(16));
  }
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([no, record]) => ({ no, rows: rowsIn(Buffer.concat(record).toString()) }));
}
