import type { Context, Handlers } from "../handlers.ts";

export function workspaceHandlers({ services }: Context): Pick<Handlers, "listWorkspaces"> {
  return { listWorkspaces: ({ actor }) => services.directories.list(actor) };
}
