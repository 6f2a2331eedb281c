import type { Context, Handlers } from "../handlers.ts";

export function engineHandlers({ services: { kernel } }: Context): Pick<Handlers, "listEngines"> {
  return { listEngines: async () => ({ engines: kernel.engines() }) };
}
