import { FairleadError, type GrantRow, isId } from "@fairlead/contract";
import { scopeOf, sees } from "../domain/actor.ts";
import {
  covers,
  type Grant,
  type Matter,
  reaches,
  STANDING,
  stateOf,
  type StoredGrant,
  toGrantRow,
} from "../domain/approval/grant.ts";
import { MOST_DAYS } from "../domain/approval/scope.ts";
import type { StoredQuestion } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog, RowQuery } from "../ports/event-log.ts";
import { resolveStream } from "./access.ts";
import { demand, taken } from "./refusal.ts";
import { fittingRows } from "./rows.ts";
import type { Grants } from "./types.ts";

const PAGE = 200;
/** No pattern outlives this, so that older ones need not be looked at. */
const LONGEST_MS = MOST_DAYS * 86_400_000;

export function createGrants({ log, clock }: { readonly log: EventLog; readonly clock: Clock }): Grants {
  /** With the reason for which the question was asked. */
  async function joined(stored: StoredGrant): Promise<Grant> {
    const question = await log.row<StoredQuestion>("question", stored.request_id);
    return { ...stored, origin: question?.origin ?? null };
  }

  /** The newest first. */
  async function* candidates(query: RowQuery): AsyncGenerator<StoredGrant> {
    for (let cursor: string | undefined; ;) {
      const page = await log.rows<StoredGrant>("grant", { ...query, limit: PAGE, cursor });
      yield* page.rows;
      if (page.cursor === null) return;
      cursor = page.cursor;
    }
  }

  async function firstOf(matter: Matter, since: number, query: RowQuery): Promise<Grant | undefined> {
    for await (const stored of candidates(query)) {
      if (Date.parse(stored.created_at) < since) return undefined;
      if (!reaches(stored, matter)) continue;
      const grant = await joined(stored);
      if (covers(grant, matter)) return grant;
    }
    return undefined;
  }

  return {
    async find(id, turn_id, asked, origin) {
      const session = await log.stream(id);
      if (session === undefined) return undefined;
      const now = clock.now();
      const matter: Matter = { session, turn_id, asked, origin, now };
      const own = await firstOf(matter, 0, { stream: session.id, state: STANDING, scope: { owner: "any" } });
      const { created_by, project } = session;
      const found =
        own ??
        (created_by === null
          ? undefined
          : await firstOf(matter, now - LONGEST_MS, {
              state: ["pattern"],
              scope: { owner: "any", created_by, ...(project === null ? {} : { project }) },
            }));
      return found && toGrantRow(found, now);
    },

    async list(actor, query) {
      demand(actor, "grant.read");
      const { state, scope, session_id, limit, cursor } = query;
      const stream = session_id === undefined ? undefined : (await resolveStream(log, actor, session_id)).id;
      const now = clock.now();
      const kept = state === "revoked" ? ["revoked"] : state === undefined ? undefined : STANDING;
      const wanted = { state: kept, stream, scope: scopeOf(actor), limit, cursor };
      return fittingRows<StoredGrant, GrantRow>(log, "grant", wanted, async (stored) => {
        if (state !== undefined && stateOf(stored, now) !== state) return undefined;
        if (scope !== undefined && stored.scope !== scope) return undefined;
        return toGrantRow(await joined(stored), now);
      });
    },

    async revoke(actor, id, reason) {
      demand(actor, "grant.read");
      const load = async (): Promise<StoredGrant | undefined> =>
        isId("grant", id) ? log.row<StoredGrant>("grant", id) : undefined;
      const stored = await load();
      const stream = stored === undefined ? undefined : await log.stream(stored.session_id);
      if (stored === undefined || stream === undefined || !sees(actor, stream))
        throw new FairleadError("grant_not_found", { details: { grant_id: id } });
      demand(actor, "grant.revoke");
      const said = reason === undefined ? {} : { reason };
      const appended = await log.append({
        writes: [
          {
            stream: stored.session_id,
            events: [
              {
                type: "runtime.grant.revoked",
                turn_id: null,
                data: { grant_id: stored.grant_id, actor: actor.name, ...said },
              },
            ],
          },
        ],
        keys: [`grant:${stored.grant_id}:revoked`],
      });
      // Somebody was first: it is revoked all the same.
      if (!appended.ok && appended.refusal.code !== "key_taken") taken(appended);
      return toGrantRow(await joined((await load()) ?? stored), clock.now());
    },
  };
}
