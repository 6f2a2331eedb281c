import type { Context, Handlers } from "../handlers.ts";

export function grantHandlers({
  services: { grants },
}: Context): Pick<Handlers, "listGrants" | "revokeGrant"> {
  return {
    listGrants: ({ actor, query }) => grants.list(actor, query),
    revokeGrant: ({ actor, params, query }) => grants.revoke(actor, params.id, query.reason),
  };
}
