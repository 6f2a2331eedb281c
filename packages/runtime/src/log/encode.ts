import type { AnyEvent, BlobRef, StreamId } from "@fairlead/contract";

interface Envelope {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly v: number;
  readonly turn_id: string | null;
  readonly agent_id: string | null;
  readonly cause: string | null;
  readonly owner: string;
}

type Blobs = Readonly<Record<string, BlobRef>>;

/** A foreign string as JSON, or null. */
function text(value: string | null): string {
  return value === null ? "null" : JSON.stringify(value);
}

/** The stored text of an event: its envelope without stream and seq, which are columns. Its data is JSON already. */
export function encodeBody(event: Envelope, dataJson: string, refs?: Blobs): string {
  const head = `{"id":"${event.id}","at":"${event.at}","type":"${event.type}","v":${event.v}`;
  const ids = `,"turn_id":${text(event.turn_id)},"agent_id":${text(event.agent_id)},"cause":${text(event.cause)}`;
  const blobs = refs === undefined ? "" : `,"blobs":${JSON.stringify(refs)}`;
  return `${head}${ids},"owner":"${event.owner}","data":${dataJson}${blobs}}`;
}

/** The event as readers see it. Key order is that of the envelope. */
export function decodeBody(stream: StreamId, seq: number, body: string): AnyEvent {
  return eventOf(stream, seq, JSON.parse(body) as Envelope & { readonly data: unknown });
}

export function eventOf(
  stream: StreamId,
  seq: number,
  body: Envelope & { readonly data: unknown; readonly blobs?: Blobs },
): AnyEvent {
  const event = {
    id: body.id,
    seq,
    stream,
    at: body.at,
    type: body.type,
    v: body.v,
    turn_id: body.turn_id,
    agent_id: body.agent_id,
    cause: body.cause,
    owner: body.owner,
    data: body.data,
  };
  return (body.blobs === undefined ? event : { ...event, blobs: body.blobs }) as AnyEvent;
}
