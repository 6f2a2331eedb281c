/** A record of late rows as it lies in the database: parts of one size, so that each fills a page and is replaced in place. */
export const PART_BYTES = 3_900;
const HEAD_BYTES = 20;
const ROOM = PART_BYTES - HEAD_BYTES;

export interface Record {
  /** Counts up, over all records ever. */
  readonly no: number;
  readonly text: string;
}

export function toParts({ no, text }: Record): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / ROOM);
  return Array.from({ length: count }, (_, index) => {
    const part = Buffer.alloc(PART_BYTES);
    part.writeDoubleLE(no, 0);
    part.writeUInt32LE(index, 8);
    part.writeUInt32LE(count, 12);
    const some = bytes.subarray(index * ROOM, (index + 1) * ROOM);
    part.writeUInt32LE(some.length, 16);
    part.set(some, HEAD_BYTES);
    return part;
  });
}

/** The records after `settled`, oldest first. A part that was cleared belongs to none. */
export function fromParts(parts: readonly Uint8Array[], settled: number): Record[] {
  const found = new Map<number, Buffer[]>();
  for (const bytes of parts) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const no = part.readDoubleLE(0);
    if (no <= settled) continue;
    const record = found.get(no) ?? [];
    found.set(no, record);
    record[part.readUInt32LE(8)] = part.subarray(HEAD_BYTES, HEAD_BYTES + part.readUInt32LE(16));
  }
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([no, record]) => ({ no, text: Buffer.concat(record).toString() }));
}
