import type { AnyEvent, StreamId } from "@fairlead/contract";
import type { EventLog, ReadOptions } from "../../ports/event-log.ts";

const PAGE = 100;
const MOST_PAGES = 50;

/** The events of a session and of what it goes on from, as far as somebody who waits can be let wait. */
export async function* reading(
  log: EventLog,
  session: StreamId,
  options: Pick<ReadOptions, "after" | "before" | "types">,
): AsyncGenerator<AnyEvent> {
  const { after, before, types = [] } = options;
  let at: number | null = before ?? after ?? 0;
  for (let page = 0; page < MOST_PAGES && at !== null; page++) {
    const from = before === undefined ? { after: at } : { before: at };
    const read = await log.read(session, { ...from, types, limit: PAGE, history: "full" });
    yield* read.events;
    at = read.next;
  }
}
