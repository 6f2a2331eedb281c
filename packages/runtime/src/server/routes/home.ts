import type { FastifyInstance } from "fastify";
import { PUBLIC } from "../access.ts";
import { credentialOf } from "../auth/credentials.ts";
import type { Context } from "../handlers.ts";
import { comeAgainPage, homePage } from "../pages/home.ts";
import { PAGE_HEADERS } from "../pages/page.ts";

const COUNTED = 100;

/** The start page. Not in the table of routes: it is for people, and the cockpit takes its place. */
export function bindHome(app: FastifyInstance, { services, auth, version, linkCommand }: Context): void {
  app.get(
    "/",
    { exposeHeadRoute: true, config: { name: "home", access: PUBLIC } },
    async (request, reply) => {
      const credential = credentialOf(request.headers);
      const actor = credential === undefined ? null : ((await auth.authenticate(credential)) ?? null);
      reply.headers(PAGE_HEADERS);
      const site = request.headers["sec-fetch-site"];
      if (actor === null && (site === "cross-site" || site === "same-site")) return comeAgainPage();
      if (actor === null) return homePage({ version, linkCommand, actor, sessions: "0" });
      const { rows, cursor } = await services.sessions.list(actor, { limit: COUNTED });
      return homePage({
        version,
        linkCommand,
        actor,
        sessions: `${rows.length}${cursor === null ? "" : "+"}`,
      });
    },
  );
}
