import { EVENTS, type NewEvent } from "@fairlead/contract";
import { isRecord } from "../../domain/is-record.ts";

/** What a tool may have recorded beside its result. Anything else would let a tool forge decisions. */
const ANY_TOOL = ["runtime.task.list", "runtime.artifact.created"] as const;
/** What only our own tools can know. */
const BUILT_IN = [...ANY_TOOL, "runtime.sandbox.notice", "runtime.retrieval.completed"] as const;

/** In characters of JSON. The log takes events that are a little larger. */
const LARGEST = 12 * 1024 * 1024;

/** The events of these that may be recorded: of a type allowed to the tool, with data that fits it, of this turn. */
export function recordable(events: unknown, turn_id: string, origin: string): readonly NewEvent[] {
  if (!Array.isArray(events)) return [];
  const types = origin === "builtin" ? BUILT_IN : ANY_TOOL;
  return events.flatMap((event: unknown): readonly NewEvent[] => {
    const type = types.find((known) => isRecord(event) && event["type"] === known);
    if (type === undefined || !isRecord(event)) return [];
    const data = EVENTS[type].data.safeParse(event["data"]);
    if (!data.success) return [];
    const fits = fitting({ ...data.data });
    return fits === undefined ? [] : [{ type, data: fits, turn_id } as NewEvent];
  });
}

/** What is too large for the log would take the outcome with it: an artifact loses its content and says so. */
function fitting(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const { length } = JSON.stringify(data);
  if (length <= LARGEST) return data;
  const { artifact } = data;
  if (!isRecord(artifact) || !("content" in artifact)) return undefined;
  const { content: _, ...about } = artifact;
  return fitting({
    ...data,
    artifact: { ...about, summary: `Not kept: ${length} characters are too many.` },
  });
}
