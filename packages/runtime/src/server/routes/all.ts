import type { Context, Handlers } from "../handlers.ts";
import { authHandlers } from "./auth.ts";
import { backgroundHandlers } from "./background.ts";
import { chatHandlers } from "./chat.ts";
import { eventHandlers } from "./events.ts";
import { grantHandlers } from "./grants.ts";
import { hookHandlers } from "./hooks.ts";
import { inboxHandlers } from "./inbox.ts";
import { engineHandlers } from "./engines.ts";
import { modelHandlers } from "./models.ts";
import { questionHandlers } from "./questions.ts";
import { sessionHandlers } from "./sessions.ts";
import { systemHandlers } from "./system.ts";
import { toolHandlers } from "./tools.ts";
import { tokenHandlers } from "./tokens.ts";
import { workspaceHandlers } from "./workspaces.ts";

export function allHandlers(context: Context): Handlers {
  return {
    ...systemHandlers(context),
    ...authHandlers(context),
    ...tokenHandlers(context),
    ...chatHandlers(context),
    ...sessionHandlers(context),
    ...backgroundHandlers(context),
    ...eventHandlers(context),
    ...questionHandlers(context),
    ...grantHandlers(context),
    ...toolHandlers(context),
    ...modelHandlers(context),
    ...engineHandlers(context),
    ...hookHandlers(context),
    ...inboxHandlers(context),
    ...workspaceHandlers(context),
  };
}
