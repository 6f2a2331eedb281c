import { type NewEvent, SYSTEM_STREAM } from "@fairlead/contract";
import type { Appended, EventLog, StreamSpec } from "../ports/event-log.ts";

const SPEC: StreamSpec = {
  owner: "system",
  kind: "system",
  project: null,
  broadcast: false,
  created_by: null,
};

/** Appends to the stream of the installation itself, which is made by whoever needs it first. */
export async function appendToSystem(
  log: EventLog,
  events: readonly NewEvent[],
  keys: readonly string[],
): Promise<Appended> {
  const write = { stream: SYSTEM_STREAM, events } as const;
  if ((await log.stream(SYSTEM_STREAM)) === undefined) {
    const made = await log.append({ writes: [{ ...write, create: SPEC }], keys });
    if (made.ok || made.refusal.code !== "stream_exists") return made;
  }
  return log.append({ writes: [write], keys });
}
