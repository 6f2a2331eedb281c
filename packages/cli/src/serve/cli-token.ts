import { hostname } from "node:os";
import type { Runtime } from "@fairlead/runtime";
import { SYSTEM_ACTOR } from "@fairlead/runtime";
import { isAlive } from "@fairlead/runtime/local";

type Tokens = Runtime["services"]["tokens"];

/** Says which process a credential belongs to, so that the next one knows it for dead. */
const labelOf = (pid: number): string => `${hostname()}:${pid}`;

/** The credential that the CLI on this machine finds. It lives as long as the server does. */
export async function makeCliToken(
  tokens: Tokens,
  user: string,
  alone: boolean,
): Promise<{ secret: string; revoke(): Promise<void> }> {
  await revokeLeftovers(tokens, alone);
  const made = await tokens.create(SYSTEM_ACTOR, {
    actor: user,
    role: "admin",
    label: labelOf(process.pid),
    purpose: "cli",
  });
  return { secret: made.secret, revoke: () => tokens.revoke(SYSTEM_ACTOR, made.token.token_id) };
}

/** Those of servers that ended without a word. Where others may share the store, only those known to be dead. */
async function revokeLeftovers(tokens: Tokens, alone: boolean): Promise<void> {
  for (const { token_id, purpose, label, revoked_at } of await tokens.list(SYSTEM_ACTOR)) {
    if (purpose !== "cli" || revoked_at !== null) continue;
    const pid = Number(label?.slice(labelOf(0).length - 1));
    const lives = label !== labelOf(pid) || (pid !== process.pid && isAlive(pid));
    if (lives && !alone) continue;
    await tokens.revoke(SYSTEM_ACTOR, token_id);
  }
}
