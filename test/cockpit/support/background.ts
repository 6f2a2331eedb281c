import type { PermissionMode, Requirement, SessionId, SessionPolicy } from "@fairlead/contract";
import { SYSTEM_ACTOR } from "../../../packages/runtime/src/domain/actor.ts";
import type { PageSite } from "./site.ts";
import { until } from "./until.ts";

export interface Work {
  readonly task: string;
  readonly title?: string;
  readonly project?: string;
  readonly policy?: SessionPolicy;
  readonly permission_mode?: PermissionMode;
  readonly requires?: Requirement[];
  /** Waits until it is so. */
  readonly until?: string;
}

/** Background work, as far as it should have come. */
export async function background(site: PageSite, { until: status, ...work }: Work): Promise<SessionId> {
  const { session_id } = await site.runtime.services.kernel.start(SYSTEM_ACTOR, work);
  if (status !== undefined) await reached(site, session_id, status);
  return session_id;
}

export async function reached(site: PageSite, session: string, status: string): Promise<void> {
  await until(async () => {
    const row = await site.runtime.services.sessions.get(SYSTEM_ACTOR, session);
    return row.status === status ? true : undefined;
  });
}
