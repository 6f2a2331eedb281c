import { FairleadError, openApi, ROUTES, streamEvents } from "@fairlead/contract";
import type { Context, Handlers } from "../handlers.ts";
import { docsPage } from "../pages/docs.ts";
import { PAGE_HEADERS } from "../pages/page.ts";
import { patiently } from "../patiently.ts";

type Names =
  | "getHealth"
  | "getReadiness"
  | "getMetrics"
  | "getOpenApi"
  | "getDocs"
  | "listStreamEvents"
  | "verifyLog";

const WHOLE = "This is about all projects, and this credential is for one.";

export function systemHandlers(context: Context): Pick<Handlers, Names> {
  const { log, services, metrics, limits, version, demandTaking } = context;
  const api = openApi(ROUTES, version);
  const docs = docsPage(ROUTES, api, version);
  const events = streamEvents();
  return {
    getHealth: () => ({ status: "ok" }),
    async getReadiness() {
      demandTaking();
      await log.ping().catch((cause: unknown) => {
        throw new FairleadError("store_unavailable", { cause });
      });
      return { status: "ready" };
    },
    getMetrics({ actor, reply }) {
      // They count what every project does.
      if (actor.project !== null) throw new FairleadError("forbidden", { message: WHOLE });
      reply.type(metrics.contentType);
      return metrics.text();
    },
    getOpenApi: () => api as { openapi: string },
    getDocs({ reply }) {
      reply.headers(PAGE_HEADERS);
      return docs;
    },
    listStreamEvents: () => ({ events }),
    async verifyLog({ actor, body, reply }) {
      const stream = body.session_id && (await services.sessions.resolve(actor, body.session_id)).id;
      // The whole log holds what other projects did, if only as a count.
      if (stream === undefined && actor.project !== null)
        throw new FairleadError("forbidden", { message: WHOLE });
      const verified = log.verify(stream).then(({ streams, events, broken }) => ({
        ok: broken.length === 0,
        streams,
        events,
        broken,
      }));
      return patiently(verified, limits.heartbeatMs, reply);
    },
  };
}
