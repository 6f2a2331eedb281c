import { FairleadError, type StreamId } from "@fairlead/contract";
import type { Fork, Refusal } from "../ports/event-log.ts";
import type { LogStore, StreamRow } from "../ports/log-store.ts";
import { hashAt, lineage, ownerOfSeq } from "./history.ts";
import type { Origin } from "./plan.ts";

/** Throws `session_not_found` or `session_purged`. */
export function openRow(id: StreamId, row: StreamRow | undefined): StreamRow {
  if (row === undefined)
    throw new FairleadError("session_not_found", {
      message: `There is no stream ${id}.`,
      details: { stream: id },
    });
  if (row.state === "purged")
    throw new FairleadError("session_purged", {
      message: `The stream ${id} was purged.`,
      details: { stream: id },
    });
  return row;
}

/**
 * Where a branch at this event begins. A fork from an inherited event belongs to the ancestor that
 * holds it, so that no stream is kept alive only to be passed through.
 */
export async function loadOrigin(store: LogStore, fork: Fork): Promise<Origin | Refusal> {
  const [named] = await store.loadStreams([fork.parent]);
  const details = { stream: fork.parent, seq: fork.seq };
  if (named === undefined)
    return { code: "session_not_found", message: `There is no stream ${fork.parent}.`, details };
  if (named.state === "purged")
    return { code: "session_purged", message: `The stream ${fork.parent} was purged.`, details };
  const outside = {
    code: "invalid_cursor",
    message: `${fork.parent} has no event ${fork.seq} to branch from.`,
    details,
  } as const;
  if (!Number.isSafeInteger(fork.seq) || fork.seq < Math.max(1, named.floor_seq) || fork.seq > named.head_seq)
    return outside;
  const line = await lineage(store, named);
  const base_hash = await hashAt(store, line, fork.seq);
  const owner = ownerOfSeq(line, fork.seq);
  if (base_hash === undefined || owner === undefined) return outside;
  const root = line[0] ?? named;
  return {
    root: root.id,
    parent: owner.id,
    base_seq: fork.seq,
    base_hash,
    floor_seq: named.floor_seq,
    floor_hash: named.floor_hash,
    family_rev: root.rev,
  };
}
