import { type AnyEvent, EVENTS, EVENT_TYPES, isEventType, type Told } from "@fairlead/contract";

/** The event under its name on seed 000's face, with its data as the log has it. Null: the face has no name for it. */
export function told({ id, seq, at, type, data, stream, blobs }: AnyEvent): Told | null {
  const name: string | null = isEventType(type) ? EVENTS[type].faces.frontend : type;
  if (name === null) return null;
  return {
    id,
    seq,
    at,
    type: name,
    payload: data,
    session_id: stream,
    ...(blobs === undefined ? {} : { blobs }),
  };
}

/** The log's types that have one of these names on seed 000's face. */
export function typesNamed(names: readonly string[]): readonly string[] {
  return EVENT_TYPES.filter((type) => names.includes(EVENTS[type].faces.frontend ?? ""));
}
