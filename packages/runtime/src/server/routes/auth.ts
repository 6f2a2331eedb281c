import { ROUTES } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../domain/actor.ts";
import { credentialOf, sessionCookie } from "../auth/credentials.ts";
import type { Context, Handlers } from "../handlers.ts";
import { deadLinkPage } from "../pages/home.ts";
import { PAGE_HEADERS } from "../pages/page.ts";

type Names = "signIn" | "signOut" | "createLink";

export function authHandlers(context: Context): Pick<Handlers, Names> {
  const { services, links, limits, auth, streams } = context;
  const cookieOptions = () => ({
    secure: context.served().secure,
    maxAgeMs: limits.browserSessionMs,
  });
  return {
    async signIn({ query, request, reply }) {
      const grant = links.redeem(query.code);
      if (grant === undefined) {
        // A link opened twice in the same browser leads where it led the first time.
        const credential = credentialOf(request.headers);
        const known = credential && (await auth.authenticate(credential));
        if (known !== undefined) return void reply.redirect("/", ROUTES.signIn.status);
        return void reply.code(401).headers(PAGE_HEADERS).send(deadLinkPage());
      }
      const by = { ...SYSTEM_ACTOR, name: grant.name, project: grant.project };
      const { secret } = await services.tokens.create(by, {
        actor: grant.name,
        role: grant.role,
        project: grant.project,
        label: "browser",
        purpose: "browser",
        expires_at: new Date(context.now() + limits.browserSessionMs).toISOString(),
      });
      reply.header("set-cookie", sessionCookie(secret, cookieOptions())).redirect("/", ROUTES.signIn.status);
    },
    async signOut({ actor, reply }) {
      if (actor.token_id !== null) {
        await services.tokens.revoke(actor, actor.token_id);
        streams.endToken(actor.token_id);
      }
      reply.header("set-cookie", sessionCookie(null, cookieOptions()));
    },
    createLink({ actor, request }) {
      const { code, expiresAt } = links.create(actor);
      const scheme = context.served().secure ? "https" : "http";
      return {
        url: `${scheme}://${request.headers.host}/auth/login?code=${code}`,
        expires_at: new Date(expiresAt).toISOString(),
      };
    },
  };
}
