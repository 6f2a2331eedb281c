import type { AnyEvent } from "@fairlead/contract";
import type { LogStore } from "../ports/log-store.ts";
import { decodeBody } from "./encode.ts";
import type { Projections } from "./projecting.ts";
import type { RowsBehind } from "./rows-behind.ts";

const PAGE = 500;

/** Makes the rows of events that a process committed and died over. */
export async function makeOwedRows(
  store: LogStore,
  { from, projections, behind }: { from: number; projections: Projections; behind: RowsBehind },
): Promise<void> {
  for (let after = from; ; ) {
    const page = await store.scanAll(after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return behind.catchUp();
    const streams = new Map(
      (await store.loadStreams([...new Set(page.map(({ stream }) => stream))])).map((row) => [row.id, row]),
    );
    const changes = page.flatMap((stored) => {
      const stream = streams.get(stored.stream);
      const event = readable(stored);
      if (stream === undefined || event === undefined) return [];
      return projections.of(event).map((one) => ({ ...one, event, stream }));
    });
    behind.owe(changes, last.pos);
    after = last.pos;
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
