import { FairleadError, type TokenRow, isId } from "@fairlead/contract";
import {
  type StoredToken,
  actorOf,
  hashSecret,
  isUsable,
  makeSecret,
  manages,
  toTokenRow,
  tokenIdOf,
} from "../domain/token.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { actorName, plainName } from "./names.ts";
import { badRequest, demand, taken } from "./refusal.ts";
import { everyRow } from "./rows.ts";
import { appendToSystem } from "./system-stream.ts";
import type { Tokens } from "./types.ts";

export interface TokensDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  /** At least 128 bits that nobody can guess, as letters, digits, - and _. */
  readonly secret: () => string;
}

/** Links made with what links gave: each step is one more row to look at with every request. */
const MOST_STEPS = 8;

export function createTokens({ log, ids, clock, secret }: TokensDeps): Tokens {
  async function rowOf(id: string): Promise<StoredToken> {
    const row = isId("token", id) ? await log.row<StoredToken>("token", id) : undefined;
    if (row === undefined) throw new FairleadError("token_not_found", { details: { token_id: id } });
    return row;
  }

  /** All whom this token was made on behalf of, or undefined when one of them is no longer good. */
  async function ancestors(row: StoredToken): Promise<readonly StoredToken[] | undefined> {
    const found: StoredToken[] = [];
    for (let id = row.parent; id !== undefined;) {
      const next: StoredToken | undefined = await log.row<StoredToken>("token", id);
      if (next === undefined || !isUsable(next, clock.now()) || found.push(next) > MOST_STEPS)
        return undefined;
      id = next.parent;
    }
    return found;
  }

  /** Throws when it cannot have children: none may outlive it. */
  async function parentOf(id: string): Promise<StoredToken> {
    const row = await log.row<StoredToken>("token", id);
    const before = row !== undefined && isUsable(row, clock.now()) ? await ancestors(row) : undefined;
    if (row === undefined || before === undefined) throw new FairleadError("unauthorized");
    if (before.length >= MOST_STEPS)
      throw new FairleadError("forbidden", { message: "This link is too many links away from a token." });
    return row;
  }

  return {
    async create(by, input) {
      demand(by, "token.manage");
      const actor = actorName(input.actor);
      const project = plainName("project", input.project === undefined ? by.project : input.project);
      if (!manages(by, project))
        throw new FairleadError("forbidden", {
          message: `This credential is for the project ${by.project}.`,
          details: { project },
        });
      const parent = input.parent == null ? undefined : await parentOf(input.parent);
      const expires_at = earlier(input.expires_at ?? null, parent?.expires_at ?? null);
      if (expires_at !== null && !(Date.parse(expires_at) > clock.now()))
        throw badRequest("`expires_at` must be a time to come.", { expires_at });
      const token_id = ids.next("token");
      const plain = makeSecret(token_id, secret());
      const { role, label, purpose = "api" } = input;
      taken(
        await appendToSystem(
          log,
          [
            {
              type: "runtime.token.created",
              data: {
                token_id,
                secret_hash: hashSecret(plain),
                actor,
                role,
                project,
                ...(label === undefined ? {} : { label }),
                expires_at,
                purpose,
                created_by: by.name,
                // The CLI's own is revoked whenever its server stops, which withdraws nothing from anybody.
                ...(parent === undefined || parent.purpose === "cli" ? {} : { parent: parent.token_id }),
              },
            },
          ],
          [],
        ),
      );
      return { secret: plain, token: toTokenRow(await rowOf(token_id)) };
    },
    async list(by) {
      demand(by, "token.manage");
      const found: TokenRow[] = [];
      for await (const row of everyRow<StoredToken>(log, "token"))
        if (manages(by, row.project)) found.push(toTokenRow(row));
      return found;
    },
    async revoke(by, id) {
      // Anyone may give up their own: signing out is that.
      const own = by.token_id === id;
      if (!own) demand(by, "token.manage");
      const row = await rowOf(id);
      if (!own && !manages(by, row.project))
        throw new FairleadError("token_not_found", { details: { token_id: id } });
      const event = {
        type: "runtime.token.revoked",
        data: { token_id: row.token_id, actor: by.name },
      } as const;
      const appended = await appendToSystem(log, [event], [`token:${row.token_id}:revoked`]);
      if (!appended.ok && appended.refusal.code !== "key_taken") taken(appended);
    },
    async authenticate(given) {
      const id = tokenIdOf(given);
      const row = id === undefined ? undefined : await log.row<StoredToken>("token", id);
      const actor = row && actorOf(row, given, clock.now());
      if (actor === undefined || row?.parent === undefined) return actor;
      return (await ancestors(row)) === undefined ? undefined : actor;
    },
  };
}

/** Of two times to end, the first. Null is never. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) < Date.parse(other) ? one : other;
}
