import { EVENTS, type NewEvent } from "@fairlead/contract";
import { isRecord } from "../../domain/is-record.ts";

/** What a tool may have recorded beside its result. Anything else would let a tool forge decisions. */
const ANY_TOOL = ["runtime.task.list", "runtime.artifact.created"] as const;
/** What only our own tools can know. */
const BUILT_IN = [...ANY_TOOL, "runtime.sandbox.notice", "runtime.retrieval.completed"] as const;

/** The events of these that may be recorded: of a type allowed to the tool, with data that fits it, of this turn. */
export function recordable(events: unknown, turn_id: string, origin: string): readonly NewEvent[] {
  if (!Array.isArray(events)) return [];
  const types = origin === "builtin" ? BUILT_IN : ANY_TOOL;
  return events.flatMap((event: unknown): readonly NewEvent[] => {
    const type = types.find((known) => isRecord(event) && event["type"] === known);
    if (type === undefined || !isRecord(event)) return [];
    const data = EVENTS[type].data.safeParse(event["data"]);
    return data.success ? [{ type, data: data.data, turn_id } as NewEvent] : [];
  });
}
