import type { StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import type { AfterFork, WaveAt } from "../../domain/workspace/at-fork.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { type FoundSnapshot, snapshotIn } from "./newest.ts";
import { reading } from "./reading.ts";

const CALLS = ["agent.tool.batch", "agent.tool.start", "agent.tool.result", "agent.tool.outcome"];
const AFTER = ["agent.tool.batch", "runtime.artifact.created", "runtime.turn.ended"];

/** The last wave that began after the snapshot; undefined where none did. */
export async function waveAt(
  log: EventLog,
  session: StreamId,
  since: number,
  fork: number,
): Promise<WaveAt | undefined> {
  const ended = new Set<string>();
  let seq: number | undefined;
  let calls: readonly string[] = [];
  const unseen = new Set<string>();
  let writes = false;
  for await (const event of reading(log, session, { before: fork + 1, types: CALLS })) {
    if (seq === undefined) {
      if (event.seq <= since) return undefined;
      if (is(event, "agent.tool.result") || is(event, "agent.tool.outcome"))
        ended.add(event.data.tool_call_id);
      if (!is(event, "agent.tool.batch")) continue;
      seq = event.seq;
      calls = event.data.tool_call_ids;
      for (const id of calls) unseen.add(id);
    } else if (is(event, "agent.tool.start") && unseen.delete(event.data.tool_call_id)) {
      const { access, delegates } = event.data;
      writes ||= access !== "read" || delegates === true;
    }
    if (unseen.size === 0) break;
  }
  if (seq === undefined) return undefined;
  const done = calls.filter((id) => ended.has(id)).length;
  return { seq, writes: writes || unseen.size > 0, ended: done, running: calls.length - done };
}

/** What is said first after the fork of the files, or of the end of what could change them. */
export async function afterFork(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<{ readonly comes: AfterFork; readonly snapshot?: FoundSnapshot }> {
  for await (const event of reading(log, session, { after: fork, types: AFTER })) {
    const snapshot = snapshotIn(event);
    if (snapshot !== undefined) return { comes: "snapshot", snapshot };
    if (is(event, "agent.tool.batch")) return { comes: "over" };
    if (is(event, "runtime.turn.ended") && event.data.status !== "parked") return { comes: "over" };
  }
  return { comes: "nothing" };
}
