import { FairleadError, ROUTES } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../domain/actor.ts";
import { credentialOf, sessionCookie } from "../auth/credentials.ts";
import type { Grant } from "../auth/login-links.ts";
import { sendPage } from "../cockpit/bind.ts";
import type { Context, Handlers } from "../handlers.ts";
import { isLoopback, ownNameUrl } from "../host-check.ts";
import { deadLinkPage } from "../pages/home.ts";
import { PAGE_HEADERS } from "../pages/page.ts";

type Names = "signIn" | "signOut" | "createLink" | "whoAmI";

export function authHandlers(context: Context): Pick<Handlers, Names> {
  const { services, links, limits, auth, streams, now } = context;
  const cookie = (secret: string | null, maxAgeMs: number): string =>
    sessionCookie(secret, { secure: context.served().secure, maxAgeMs });

  /** The browser's own credential. Undefined when the token that asked for the link is no longer good. */
  async function credentialFor({ name, role, project, token_id = null }: Grant) {
    const expires_at = new Date(now() + limits.browserSessionMs).toISOString();
    const browser = { actor: name, role, project, label: "browser", purpose: "browser" } as const;
    return services.tokens
      .create({ ...SYSTEM_ACTOR, name, project }, { ...browser, expires_at, parent: token_id })
      .catch((error: unknown) => {
        if (error instanceof FairleadError && error.code === "unauthorized") return undefined;
        throw error;
      });
  }

  return {
    async signIn({ query, request, reply }) {
      const grant = links.redeem(query.code);
      const made = grant && (await credentialFor(grant));
      if (made === undefined) {
        // A link opened twice in the same browser leads where it led the first time.
        const credential = credentialOf(request.headers);
        const known = credential && (await auth.authenticate(credential));
        if (known !== undefined) return void reply.redirect("/", ROUTES.signIn.status);
        // The page itself says so, in its own looks.
        if (context.document !== undefined) return void sendPage(request, reply.code(401), context.document);
        return void reply.code(401).headers(PAGE_HEADERS).send(deadLinkPage(context.linkCommand));
      }
      const { secret, token } = made;
      const lasts =
        token.expires_at === null ? limits.browserSessionMs : Date.parse(token.expires_at) - now();
      reply.header("set-cookie", cookie(secret, lasts)).redirect("/", ROUTES.signIn.status);
    },
    async signOut({ actor, reply }) {
      if (actor.token_id !== null) {
        await services.tokens.revoke(actor, actor.token_id);
        await streams.recheck();
      }
      reply.header("set-cookie", cookie(null, 0));
    },
    whoAmI: ({ actor: { name, role, project, expires_at } }) => ({
      name,
      role,
      project,
      expires_at: expires_at ?? null,
    }),
    createLink({ actor, request }) {
      const { code, expiresAt } = links.create(actor);
      const served = context.served();
      const base = `${served.secure ? "https" : "http"}://${request.headers.host}`;
      const path = `/auth/login?code=${code}`;
      // Only who came by an address of this machine has a browser on it.
      const here = isLoopback(request.headers.host?.replace(/:\d+$/, "") ?? "");
      return {
        url: `${base}${path}`,
        browser_url: `${(here && ownNameUrl(served)) || base}${path}`,
        expires_at: new Date(expiresAt).toISOString(),
      };
    },
  };
}
