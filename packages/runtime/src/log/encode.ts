import type { AnyEvent, BlobRef, StreamId } from "@fairlead/contract";

export interface Encodable {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly v: number;
  readonly turn_id: string | null;
  readonly agent_id: string | null;
  readonly cause: string | null;
  readonly owner: string;
  /** Already JSON: it was made once, for size and redaction. */
  readonly dataJson: string;
  readonly blobs: Readonly<Record<string, BlobRef>> | undefined;
}

/** A foreign string as JSON, or null. */
function text(value: string | null): string {
  return value === null ? "null" : JSON.stringify(value);
}

/** The stored text of an event: its envelope without stream and seq, which are columns. */
export function encodeBody(event: Encodable): string {
  const head = `{"id":"${event.id}","at":"${event.at}","type":"${event.type}","v":${event.v}`;
  const ids = `,"turn_id":${text(event.turn_id)},"agent_id":${text(event.agent_id)},"cause":${text(event.cause)}`;
  const blobs = event.blobs === undefined ? "" : `,"blobs":${JSON.stringify(event.blobs)}`;
  return `${head}${ids},"owner":"${event.owner}","data":${event.dataJson}${blobs}}`;
}

type Body = Omit<AnyEvent, "stream" | "seq">;

/** The event as readers see it. Key order is that of the envelope. */
export function decodeBody(stream: StreamId, seq: number, body: string): AnyEvent {
  const parsed = JSON.parse(body) as Body;
  const event = {
    id: parsed.id,
    seq,
    stream,
    at: parsed.at,
    type: parsed.type,
    v: parsed.v,
    turn_id: parsed.turn_id,
    agent_id: parsed.agent_id,
    cause: parsed.cause,
    owner: parsed.owner,
    data: parsed.data,
  };
  return (parsed.blobs === undefined ? event : { ...event, blobs: parsed.blobs }) as AnyEvent;
}
