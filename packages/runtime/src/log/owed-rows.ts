import type { AnyEvent } from "@fairlead/contract";
import type { LogStore } from "../ports/log-store.ts";
import { decodeBody } from "./encode.ts";
import type { RowsBehind } from "./rows-behind.ts";

const PAGE = 500;

/** Makes the rows of events that a process committed and died over. */
export async function makeOwedRows(store: LogStore, behind: RowsBehind): Promise<void> {
  for (;;) {
    const page = await store.scanAll(behind.upTo(), PAGE);
    const last = page.at(-1);
    if (last === undefined) return behind.catchUp();
    const streams = new Map(
      (await store.loadStreams([...new Set(page.map(({ stream }) => stream))])).map((row) => [row.id, row]),
    );
    const events = page.flatMap((stored) => {
      const stream = streams.get(stored.stream);
      const event = readable(stored);
      return stream === undefined || event === undefined ? [] : [{ event, stream }];
    });
    behind.owe(events, last.pos);
  }
}

/** An event that was damaged changes nothing; whoever verifies the log hears of it. */
function readable({
  stream,
  seq,
  body,
}: Awaited<ReturnType<LogStore["scanAll"]>>[number]): AnyEvent | undefined {
  try {
    return decodeBody(stream, seq, body);
  } catch {
    return undefined;
  }
}
