import type { AnyEvent, StreamId } from "@fairlead/contract";
import { expect, it } from "vitest";
import { place } from "./committer.ts";
import { createFeeds } from "./feeds.ts";
import { follow } from "./follow.ts";
import type { Entry } from "./tail.ts";

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const entry = (seq: number): Entry<AnyEvent> => ({ at: seq, item: { seq } as AnyEvent, bytes: 1 });

it("hears of a commit of another process that falls into the last, empty read", async () => {
  const id = "ses_1" as StreamId;
  let stored = 2;
  let onEmptyRead = () => {};
  const read = async (_: StreamId, after: number) => {
    const found = Array.from({ length: stored - after }, (_unused, i) => entry(after + 1 + i));
    await turn();
    if (found.length === 0) onEmptyRead();
    await turn();
    return found;
  };
  const feeds = createFeeds({ readStream: read, readAll: async () => [] });
  const stop = new AbortController();
  const seen: number[] = [];
  const done = (async () => {
    const options = {
      join: () => feeds.joinStream(id),
      after: 0,
      readStore: (after: number) => read(id, after),
    };
    for await (const batch of follow({ ...options, signals: [stop.signal] }))
      seen.push(...batch.map((event) => event.seq));
  })();
  while (seen.length < 2) await turn();
  // This process writes once, so that the tail knows where it is; then others write.
  stored = 3;
  feeds.published([place(id, 3, 3, '{"id":"evt_3"}')]);
  while (seen.length < 3) await turn();
  let late = true;
  onEmptyRead = () => {
    if (!late) return;
    late = false;
    stored = 5;
    feeds.othersCommitted([id]);
  };
  stored = 4;
  feeds.othersCommitted([id]);
  for (let i = 0; i < 50; i++) await turn();
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  stop.abort();
  await done;
});
