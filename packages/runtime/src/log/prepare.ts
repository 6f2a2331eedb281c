import {
  type AnyEvent,
  type BlobRef,
  EVENTS,
  type NewEvent,
  type StreamId,
  isEventType,
} from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Refusal } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { asJson } from "./as-json.ts";
import { decodeBody, encodeBody, eventOf } from "./encode.ts";
import { type Fits, fitsOf } from "./fits.ts";
import { type Blob, isLarge, offload } from "./offload.ts";
import type { Projected, Projections } from "./projecting.ts";
import type { Redactor } from "./redact.ts";
import type { Sealer } from "./seal.ts";

/** The largest event taken at all, before parts of it move to blobs. */
const EVENT_LIMIT = 16 * 1024 * 1024;

/** An event checked, redacted and encoded: only its place in the stream is open. */
export interface Prepared {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly blobs: readonly Blob[];
  readonly box: Uint8Array | undefined;
  /** For those that change rows: the event, with no place yet. */
  readonly event: AnyEvent | undefined;
  /** The rows it changes. Empty for most. */
  readonly projected: Projected;
}

export interface PrepareDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly sealer: Sealer | undefined;
  readonly projections: Projections;
}

export type Prepare = (event: NewEvent, stream: StreamId) => Prepared | Refusal;

export function isRefusal(result: object): result is Refusal {
  return "code" in result;
}

const NONE: readonly never[] = [];

export function createPrepare(deps: PrepareDeps): Prepare {
  let lastMs = -1;
  let lastAt = "";

  function timestamp(): string {
    const now = deps.clock.now();
    if (now !== lastMs) {
      lastMs = now;
      lastAt = new Date(now).toISOString();
    }
    return lastAt;
  }

  return (event, stream) => {
    const refusal = check(event);
    if (refusal !== undefined) return refusal;
    const def = EVENTS[event.type];
    const id = event.id ?? deps.ids.next("event");
    const plainJson = JSON.stringify(event.data);
    if (plainJson.length > EVENT_LIMIT) {
      return refuse(
        "payload_too_large",
        event,
        `${plainJson.length} characters; at most ${EVENT_LIMIT} are taken`,
      );
    }
    let dataJson = deps.redactor.redact(plainJson);
    let box: Uint8Array | undefined;
    if (event.seal === true && dataJson !== plainJson) {
      if (deps.sealer === undefined)
        return refuse("seal_key_missing", event, "there is no key to seal its data with");
      box = deps.sealer.seal(id, plainJson);
    }
    let blobs: readonly Blob[] = NONE;
    let refs: Readonly<Record<string, BlobRef>> | undefined;
    if (isLarge(dataJson)) {
      ({ dataJson, blobs, refs } = offload(dataJson));
    }
    const envelope = {
      id,
      at: timestamp(),
      type: event.type,
      v: def.v,
      turn_id: event.turn_id ?? null,
      agent_id: event.agent_id ?? null,
      cause: event.cause ?? null,
      owner: def.owner,
    };
    const body = encodeBody(envelope, dataJson, refs);
    const watched = deps.projections.watch(event.type);
    // Most are stored as they were given, and need not be read again.
    const data = !watched || dataJson !== plainJson ? undefined : asJson(event.data);
    const placeless = !watched
      ? undefined
      : data === undefined
        ? decodeBody(stream, 0, body)
        : eventOf(stream, 0, { ...envelope, data });
    const projected = placeless === undefined ? NONE : deps.projections.of(placeless);
    return { id, type: event.type, body, blobs, box, event: placeless, projected };
  };
}

/** For each type of which one was taken, whether data fits. What it does not take is checked in full. */
const known = new Map<string, Fits>();

function check(event: NewEvent): Refusal | undefined {
  if (known.get(event.type)?.(event.data) === true) return undefined;
  if (!isEventType(event.type)) return refuse("event_unknown", event, "the catalogue has no such type");
  const def = EVENTS[event.type];
  if (!def.persisted)
    return refuse("event_invalid", event, "events of this type are told to readers, never stored");
  const parsed = def.data.safeParse(event.data);
  if (parsed.success) {
    known.set(event.type, fitsOf(def.data));
    return undefined;
  }
  const issues = parsed.error.issues
    .slice(0, 5)
    .map((issue) => ({ path: issue.path.join("."), problem: issue.message }));
  const first = issues[0];
  return {
    ...refuse("event_invalid", event, `${first?.path || "data"}: ${first?.problem ?? "does not fit"}`),
    details: { type: event.type, issues },
  };
}

function refuse(code: Refusal["code"], event: { readonly type: string }, why: string): Refusal {
  return { code, message: `Event ${event.type} refused: ${why}.`, details: { type: event.type } };
}
