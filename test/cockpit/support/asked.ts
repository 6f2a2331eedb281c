import type { SessionId } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../../packages/runtime/src/domain/actor.ts";
import type { PageSite } from "./site.ts";
import { until } from "./until.ts";

/** A session whose turn waits for a person to decide. */
export async function asked(
  site: PageSite,
  title: string,
  input: string,
): Promise<{ readonly session: SessionId; readonly request: string }> {
  const { turns, questions } = site.runtime.services;
  const session = await site.session(title);
  await turns.start(SYSTEM_ACTOR, session, { input });
  const request = await until(async () => {
    const { rows } = await questions.list(SYSTEM_ACTOR, { state: "pending", session_id: session });
    return rows[0]?.request_id;
  });
  return { session, request };
}
