import type { LogStore, StreamRow } from "../../ports/log-store.ts";
import type { Database } from "./database.ts";
import { noteOf } from "./notice.ts";

type Streams = Pick<LogStore, "loadStreams" | "listStreams" | "family" | "retain">;

const COLUMNS = `id, root, parent, rev, owner, kind, project, broadcast, created_by, created_at,
  base_seq, base_hash, floor_seq, floor_hash, head_seq, head_hash, epoch, state`;
/** Long, because a purge may drop millions of events; it does not hold up appends. */
const RETAIN_MS = 600_000;

export function createStreams({ ask, target: { schema } }: Database, writer: string): Streams {
  const some = { name: "load_streams", text: `select ${COLUMNS} from ${schema}.streams where id = any ($1)` };
  const page = {
    name: "list_streams",
    text: `select ${COLUMNS} from ${schema}.streams where id > $1 order by id limit $2`,
  };
  const byRoot = {
    name: "family",
    text: `select ${COLUMNS} from ${schema}.streams where root = $1 order by id = root desc, no`,
  };
  const retain = {
    name: "retain",
    text: `select ${schema}.retain_family($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as done`,
  };
  return {
    loadStreams: (ids) => ask<StreamRow>({ ...some, values: [ids] }),
    listStreams: (after, limit) => ask<StreamRow>({ ...page, values: [after, limit] }),
    family: (root) => ask<StreamRow>({ ...byRoot, values: [root] }),
    async retain({ root, rev, rows, drop }) {
      const values = [
        noteOf(
          writer,
          rows.map((row) => row.id),
        ),
        root,
        rev,
        rows.map((row) => row.id),
        rows.map((row) => row.floor_seq),
        Buffer.concat(rows.map((row) => row.floor_hash)),
        rows.map((row) => row.state),
        rows.map((row) => row.head_seq),
        drop.map((range) => range.stream),
        drop.map((range) => range.from),
        drop.map((range) => range.to),
      ];
      const [answer] = await ask<{ done: boolean }>({ ...retain, values, timeoutMs: RETAIN_MS });
      return answer?.done === true;
    },
  };
}
