import { call, commandKey } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";

const ASK = "What can you do?";

/** A session with the model at hand, and its first question. Without a provider the scripted model answers. */
export async function startDemo(): Promise<void> {
  const made = await call("createChatSession", {
    body: { title: ASK },
    idempotencyKey: commandKey(),
  });
  await call("startTurn", {
    params: { id: made.session_id },
    body: { input: ASK },
    idempotencyKey: commandKey(),
  });
  navigate(pathOf("session", { id: made.session_id }));
}
