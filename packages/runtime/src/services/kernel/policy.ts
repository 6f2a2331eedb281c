import type { HealthPolicy, QuestionId, SessionId, SessionSettings, SessionState } from "@fairlead/contract";
import { mootQuestion } from "../../domain/health/budgets.ts";
import { NATIVE, policyOf } from "../../domain/kernel/background.ts";
import { boundsOf } from "../../domain/kernel/session-events.ts";
import { ENDED } from "../../domain/kernel/table.ts";
import { decidedKey, expireQuestion } from "../../domain/question-decide.ts";
import type { StoredQuestion } from "../../domain/question.ts";
import { loadHealth } from "../health/load.ts";
import { type Beside, restate } from "../restate.ts";
import { badRequest, refused } from "../refusal.ts";
import { type KernelDeps, load } from "./context.ts";
import { demandTime } from "./start.ts";
import type { PolicyChange } from "./types.ts";

/**
 * Holds from the next time that somebody looks, also for a session that runs. A question about a limit that is set anew is
 * withdrawn in the same commit: whether the session may go on is then looked at again, by the limit that holds now.
 */
export async function changePolicy(
  deps: KernelDeps,
  session: SessionId,
  actor: string,
  change: PolicyChange,
): Promise<void> {
  const { health, max_retries, expires_at } = change;
  const unsaid = health === undefined || (health !== null && Object.keys(health).length === 0);
  if (unsaid && max_retries === undefined && expires_at === undefined)
    throw badRequest("There is nothing to change.");
  demandTime(expires_at);
  const { state: before } = await load(deps, session);
  const changesOf = (state: SessionState): SessionSettings => {
    demandOpen(state);
    const { health: held, ...others } = policyOf(state);
    const merged = mergedHealth(held, health);
    const policy =
      health === undefined ? undefined : { ...others, ...(merged === undefined ? {} : { health: merged }) };
    return boundsOf(
      {
        ...(policy === undefined ? {} : { policy }),
        ...(max_retries === undefined ? {} : { max_retries }),
        ...(expires_at === undefined ? {} : { expires_at }),
      },
      state.metadata,
    );
  };
  let moot = false;
  await restate(deps.log, session, actor, changesOf, async (state) => {
    const withdrawn = await withdrawnFor(deps, session, actor, mergedHealth(policyOf(state).health, health));
    moot = withdrawn.events.length > 0;
    return withdrawn;
  });
  if (!moot) return;
  const engine = deps.engines.find(({ id }) => id === (before.engine ?? NATIVE));
  await engine?.wake(session).catch(deps.report);
}

/** What has failed, or needs review, can go on. */
function demandOpen({ session_id, status }: SessionState): void {
  if (!ENDED.has(status) || status === "failed" || status === "needs_review") return;
  throw refused({
    code: "session_ended",
    message: `The session has ended: it is ${status}.`,
    details: { session_id, status },
  });
}

/** Budget by budget; undefined where none is left. */
function mergedHealth(
  held: HealthPolicy | undefined,
  change: PolicyChange["health"],
): HealthPolicy | undefined {
  if (change === null) return undefined;
  const merged = Object.entries({ ...held, ...change }).filter(([, value]) => value != null);
  return merged.length === 0 ? undefined : (Object.fromEntries(merged) as HealthPolicy);
}

/** The end of a question that asks about a limit which is not the one that holds from here on. */
async function withdrawnFor(
  { log, clock }: KernelDeps,
  session: SessionId,
  actor: string,
  policy: HealthPolicy = {},
): Promise<Beside> {
  const request_id = mootQuestion((await loadHealth(log, session)).state, policy) as QuestionId | null;
  const row = request_id === null ? undefined : await log.row<StoredQuestion>("question", request_id);
  if (row === undefined) return { events: [], keys: [] };
  const at = new Date(clock.now()).toISOString();
  const verdict = expireQuestion(row, actor, at, "The limit was set anew.", true);
  if (verdict.kind !== "record") return { events: [], keys: [] };
  return { events: [verdict.event], keys: [decidedKey(row.request_id)] };
}
