import {
  type AnyEvent,
  EVENT_TYPES,
  EVENTS,
  FairleadError,
  type FaceName,
  isEventType,
} from "@fairlead/contract";
import { FACES } from "../../faces/index.ts";
import type { Positioned } from "../../ports/event-log.ts";
import { createVisibility } from "../../services/visibility.ts";
import { type Context, type Handlers, STREAMING } from "../handlers.ts";
import { openStream, serve } from "../sse/serve.ts";
import { viewOfAll, viewOfStream } from "../sse/view.ts";
import { badRequest } from "../errors.ts";
import { invalidCursor, resumeCursor } from "../validate.ts";

type Names = "listEvents" | "streamEvents" | "streamAllEvents" | "getBlob";

export function eventHandlers(context: Context): Pick<Handlers, Names> {
  const { log, services } = context;
  const visibility = createVisibility(log);
  return {
    async listEvents({ actor, params, query }) {
      const { face, types, tier, ...range } = query;
      const { id, head_seq } = await services.sessions.resolve(actor, params.id);
      demandWithin(range.after ?? 0, head_seq);
      const page = await log.read(id, {
        ...range,
        ...(types === undefined ? {} : { types: types.flatMap((name) => logTypes(name, face)) }),
        ...(tier === "default" ? { tier } : {}),
      });
      const toFrame = FACES[face] as (event: AnyEvent) => Frame | null;
      const events = page.events.map(toFrame).filter((frame) => frame !== null);
      return { events, next: page.next, head_seq: page.head_seq };
    },

    async streamEvents(call) {
      const { actor, params, query, request } = call;
      const from = resumeCursor(request.headers["last-event-id"], query.after);
      const { id, head_seq } = await services.sessions.resolve(actor, params.id);
      const after = from === "latest" ? head_seq : from;
      demandWithin(after, head_seq);
      serve(context, openStream(context, call), {
        view: viewOfStream(query.face, query.tier),
        after,
        tell: from === "latest",
        follow: (cursor, signal) => log.subscribe(id, { after: cursor, signal, history: query.history }),
      });
      return STREAMING;
    },

    async streamAllEvents(call) {
      const { actor, query, request } = call;
      const from = resumeCursor(request.headers["last-event-id"], query.after);
      // Before anything is answered: a name that is no event is refused.
      const view = viewOfAll(query.face, query.tier, typesOf(query));
      const head = await log.lastPosition();
      const after = from === "latest" ? head : from;
      // It comes from another log: waiting for it would skip all that comes until then.
      if (after > head) throw invalidCursor("after", `The log ends at ${head}.`, { head });
      serve(context, openStream(context, call), {
        view,
        after,
        tell: from === "latest",
        finite: query.until === "latest",
        async *follow(cursor, signal) {
          const batches =
            query.until === "latest"
              ? readUpTo(log, cursor, head)
              : log.subscribeAll({ after: cursor, signal });
          for await (const batch of batches) yield await visibility.of(actor, batch);
        },
      });
      return STREAMING;
    },

    async getBlob({ actor, params, reply }) {
      const { id } = await services.sessions.resolve(actor, params.id);
      const bytes = await log.blob(id, params.sha256);
      if (bytes === undefined) throw new FairleadError("blob_not_found");
      // What an agent wrote is never shown as a page of ours.
      reply.header("content-disposition", "attachment");
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}

/** A cursor from beyond the end is another session's: to wait there would be to miss what comes. */
function demandWithin(after: number, head_seq: number): void {
  if (after > head_seq) throw invalidCursor("after", `The session ends at ${head_seq}.`, { head_seq });
}

/** What there is after a position, to the end that was the end once. */
async function* readUpTo(
  log: Context["log"],
  after: number,
  end: number,
): AsyncGenerator<readonly Positioned[]> {
  for (let from = after; from < end;) {
    const { events, next } = await log.readAll({ after: from });
    yield events.filter(({ pos }) => pos <= end);
    if (next <= from) return;
    from = next;
  }
}

interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a type of a newer writer can look like. */
const TYPE = /^(runtime|agent)(\.[a-z0-9_]+)+$/;

function typesOf({
  types,
  face,
}: {
  types?: readonly string[];
  face: FaceName;
}): ReadonlySet<string> | undefined {
  return types && new Set(types.flatMap((name) => logTypes(name, face)));
}

/** A filter may say the log's name for a type or the face's. */
function logTypes(name: string, face: FaceName): readonly string[] {
  if (isEventType(name)) return [name];
  const known = EVENT_TYPES.filter((type) => EVENTS[type].faces[face] === name);
  if (known.length > 0) return known;
  if (TYPE.test(name)) return [name];
  throw badRequest(
    "query.types",
    `There is no event ${JSON.stringify(name.slice(0, 64))} on the face ${face}.`,
  );
}
