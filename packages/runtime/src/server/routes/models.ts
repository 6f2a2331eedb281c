import type { Context, Handlers } from "../handlers.ts";

export function modelHandlers({ services: { models } }: Context): Pick<Handlers, "listModels"> {
  return { listModels: async () => ({ models: [...models.list()] }) };
}
