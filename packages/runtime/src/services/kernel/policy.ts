import type { SessionId, SessionSettings } from "@fairlead/contract";
import { policyOf } from "../../domain/kernel/background.ts";
import { boundsOf } from "../../domain/kernel/session-events.ts";
import { ENDED } from "../../domain/kernel/table.ts";
import { restate } from "../restate.ts";
import { badRequest, refused } from "../refusal.ts";
import { type KernelDeps, load } from "./context.ts";
import { demandTime } from "./start.ts";
import type { PolicyChange } from "./types.ts";

/** Holds from the next time that somebody looks, also for a session that runs. */
export async function changePolicy(
  deps: KernelDeps,
  session: SessionId,
  actor: string,
  change: PolicyChange,
): Promise<void> {
  const { health, max_retries, expires_at } = change;
  if (health === undefined && max_retries === undefined && expires_at === undefined)
    throw badRequest("There is nothing to change.");
  demandTime(expires_at);
  const { row } = await load(deps, session);
  if (ENDED.has(row.status) && row.status !== "failed" && row.status !== "needs_review")
    throw refused({
      code: "session_ended",
      message: `The session has ended: it is ${row.status}.`,
      details: { session_id: session, status: row.status },
    });
  await restate(deps.log, session, actor, (state): SessionSettings => {
    const { health: _health, ...others } = policyOf(state);
    const policy = health === undefined ? undefined : { ...others, ...(health === null ? {} : { health }) };
    return boundsOf(
      {
        ...(policy === undefined ? {} : { policy }),
        ...(max_retries === undefined ? {} : { max_retries }),
        ...(expires_at === undefined ? {} : { expires_at }),
      },
      state.metadata,
    );
  });
}
