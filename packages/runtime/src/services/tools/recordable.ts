import { EVENTS, type NewEvent } from "@fairlead/contract";
import { isRecord } from "../../domain/is-record.ts";

/** What a tool may have recorded beside its result. Anything else would let a tool forge decisions. */
const TYPES = ["runtime.task.list", "runtime.artifact.created"] as const;

/** The events of these that may be recorded: of an allowed type, with data that fits it, of this turn. */
export function recordable(events: unknown, turn_id: string): readonly NewEvent[] {
  if (!Array.isArray(events)) return [];
  return events.flatMap((event: unknown): readonly NewEvent[] => {
    const type = TYPES.find((known) => isRecord(event) && event["type"] === known);
    if (type === undefined || !isRecord(event)) return [];
    const data = EVENTS[type].data.safeParse(event["data"]);
    return data.success ? [{ type, data: data.data, turn_id } as NewEvent] : [];
  });
}
