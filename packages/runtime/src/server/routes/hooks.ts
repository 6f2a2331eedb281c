import type { Context, Handlers } from "../handlers.ts";

type Names = "listHooks" | "getHook" | "trustHook" | "untrustHook";

export function hookHandlers({ services: { hooks } }: Context): Pick<Handlers, Names> {
  return {
    listHooks: async ({ actor }) => ({ rows: await hooks.list(actor) }),
    getHook: ({ actor, params }) => hooks.get(actor, params.name),
    trustHook: ({ actor, params, body }) => hooks.trust(actor, params.name, body.hash),
    untrustHook: ({ actor, params }) => hooks.untrust(actor, params.name),
  };
}
