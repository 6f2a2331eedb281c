import type { StreamRow } from "../../src/ports/log-store.ts";
import { openPostgresStore } from "../../src/stores/postgres/open.ts";
import { extend, makeStream } from "./changes.ts";

/** A program of its own, to be frozen or killed: appends to one stream until it ends, a line for each commit. */
const store = await openPostgresStore({ url: process.argv[2] ?? "" });
let row: StreamRow = await makeStream(store, 1);
for (;;) {
  const change = extend(row, 50);
  const result = await store.commit(change);
  if (!result.ok) throw new Error(JSON.stringify(result));
  row = change.streams[0]?.row as StreamRow;
  console.log(row.head_seq);
}
