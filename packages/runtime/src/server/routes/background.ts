import { type Context, type Handlers, STREAMING } from "../handlers.ts";
import { followHealth, HEALTH_VIEW } from "../sse/health.ts";
import { openStream, serve } from "../sse/serve.ts";
import { invalidCursor, resumeCursor } from "../validate.ts";

type Names =
  | "startSession"
  | "pauseSession"
  | "resumeSession"
  | "cancelSession"
  | "acceptSession"
  | "setSessionPolicy"
  | "streamHealth";

export function backgroundHandlers(context: Context): Pick<Handlers, Names> {
  const { log, services, demandTaking } = context;
  const { kernel, sessions, health } = services;
  return {
    startSession({ actor, body, idempotencyKey }) {
      demandTaking();
      return kernel.start(actor, { ...body, ...optionalKey(idempotencyKey) });
    },
    pauseSession: ({ actor, params, body, idempotencyKey }) =>
      kernel.pause(actor, params.id, body.reason, idempotencyKey),
    resumeSession: ({ actor, params, body, idempotencyKey }) =>
      kernel.resume(actor, params.id, { ...body, ...optionalKey(idempotencyKey) }),
    cancelSession: ({ actor, params, body }) => kernel.cancel(actor, params.id, body.reason),
    acceptSession: ({ actor, params, body }) => kernel.accept(actor, params.id, body.reason),
    setSessionPolicy: ({ actor, params, body }) => kernel.setPolicy(actor, params.id, body),
    async streamHealth(call) {
      const { actor, params, query, request } = call;
      const { id, head_seq } = await sessions.resolve(actor, params.id);
      const from = resumeCursor(request.headers["last-event-id"], query.after);
      if (from !== "latest" && from > head_seq)
        throw invalidCursor("after", `The session ends at ${head_seq}.`, { head_seq });
      const row = () => sessions.get(actor, id);
      // Said before the stream is opened: a session that is not one is refused, not ended.
      await row();
      serve(context, openStream(context, call), {
        view: HEALTH_VIEW,
        after: 0,
        follow: (_after, signal) => followHealth({ log, stream: id, row, healthOf: health.of }, signal),
      });
      return STREAMING;
    },
  };
}

function optionalKey(idempotencyKey: string | undefined): { idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
