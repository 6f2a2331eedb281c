import type { Context, Handlers } from "../handlers.ts";

export function toolHandlers({ services: { tools } }: Context): Pick<Handlers, "listTools" | "callTool"> {
  return {
    listTools: async () => ({ tools: await tools.list() }),
    callTool: ({ actor, params, body }) => tools.call(actor, params.id, params.name, body.arguments),
  };
}
