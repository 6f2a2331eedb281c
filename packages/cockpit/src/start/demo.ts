import { LEFT } from "../lib/acts.ts";
import { call } from "../lib/api.ts";
import { navigate, pathOf } from "../lib/router.tsx";

const ASK = "What can you do?";

/** A session with the model at hand, and its first question, once for a key. Without a provider the scripted model answers. */
export async function startDemo(key: string): Promise<typeof LEFT> {
  const made = await call("createChatSession", {
    body: { title: ASK },
    idempotencyKey: key,
  });
  await call("startTurn", {
    params: { id: made.session_id },
    body: { input: ASK },
    idempotencyKey: `${key}-turn`,
  });
  navigate(pathOf("session", { id: made.session_id }));
  return LEFT;
}
