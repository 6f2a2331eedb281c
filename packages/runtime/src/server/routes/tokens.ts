import type { Context, Handlers } from "../handlers.ts";

type Names = "listTokens" | "createToken" | "revokeToken";

export function tokenHandlers({ services: { tokens }, streams }: Context): Pick<Handlers, Names> {
  return {
    listTokens: async ({ actor }) => ({ rows: await tokens.list(actor) }),
    createToken: ({ actor, body }) => tokens.create(actor, { ...body, purpose: "api" }),
    async revokeToken({ actor, params }) {
      await tokens.revoke(actor, params.id);
      await streams.recheck();
    },
  };
}
