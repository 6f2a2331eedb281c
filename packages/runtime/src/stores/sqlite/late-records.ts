import type { DatabaseSync } from "node:sqlite";

/** How a part of a record begins: which record, which part of how many, and how many bytes of it are in use. */
const HEAD_BYTES = 20;
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Before migration 3 a commit put its rows down as a record of its own, in parts, and they were written later. What a
 * process of that time still owed is written now.
 */
export function writeLateRecords(db: DatabaseSync): void {
  const settled = Number(db.prepare("SELECT settled FROM positions").get()?.["settled"]);
  const upsert = db.prepare(
    // That program let in times that do not read and sums beyond all measure, and could not write them.
    `INSERT INTO rows (kind, id, stream, state, at, doc)
     VALUES (?, ?, ?, ?, CAST(min(max(coalesce(?, 0), -${MOST}), ${MOST}) AS INTEGER), ?)
     ON CONFLICT (kind, id) DO UPDATE SET state = excluded.state, at = excluded.at, doc = excluded.doc`,
  );
  const parts = db.prepare("SELECT part FROM late_rows").all() as unknown as { part: Uint8Array }[];
  const records = new Map<number, Buffer[]>();
  for (const { part } of parts) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const no = bytes.readDoubleLE(0);
    if (no <= settled) continue;
    const record = records.get(no) ?? [];
    records.set(no, record);
    record[bytes.readUInt32LE(8)] = bytes.subarray(HEAD_BYTES, HEAD_BYTES + bytes.readUInt32LE(16));
  }
  for (const [, record] of [...records].toSorted(([a], [b]) => a - b)) {
    // Two lines a row: what lists need of it, and its document.
    const lines = Buffer.concat(record).toString().split("\n");
    for (let i = 0; i + 1 < lines.length; i += 2) {
      const head = JSON.parse(lines[i] ?? "") as [string, string, string, string, number | null];
      upsert.run(...head, lines[i + 1] ?? "");
    }
  }
}
