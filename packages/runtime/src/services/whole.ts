import { type AnyEvent, type BlobRef, FairleadError, type StreamId } from "@fairlead/contract";
import type { EventLog } from "../ports/event-log.ts";

/** The data with its large parts fetched back into their places. Throws part_lost. */
export async function wholeData(
  log: EventLog,
  stream: StreamId,
  data: unknown,
  blobs: Readonly<Record<string, BlobRef>> | undefined,
): Promise<unknown> {
  if (blobs === undefined) return data;
  const root = { data: structuredClone(data) };
  // The last moved out is the outermost: it must be back before what was moved out of it.
  for (const [pointer, ref] of Object.entries(blobs).toReversed()) {
    const bytes = await log.blob(stream, ref.sha256);
    if (bytes === undefined) throw new FairleadError("part_lost", { details: { pointer, ...ref } });
    put(root, ["data", ...segments(pointer)], Buffer.from(bytes).toString("utf8"));
  }
  return root.data;
}

/** `session`: the one that is read. The event may be its parent's, whose own way to the blob can be gone. */
export async function wholeEvent(log: EventLog, session: StreamId, event: AnyEvent): Promise<AnyEvent> {
  if (event.blobs === undefined) return event;
  return { ...event, data: await wholeData(log, session, event.data, event.blobs) } as AnyEvent;
}

function segments(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The blob of a text is that text; of anything else, its JSON. What stands in its place says which. */
function put(root: object, path: readonly string[], blob: string): void {
  let at = root as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    const inner = at[name];
    if (typeof inner !== "object" || inner === null) return;
    at = inner as Record<string, unknown>;
  }
  const last = path.at(-1) ?? "";
  at[last] = typeof at[last] === "string" ? blob : (JSON.parse(blob) as unknown);
}
