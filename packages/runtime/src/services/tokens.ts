import { FairleadError, type TokenRow, isId } from "@fairlead/contract";
import {
  type StoredToken,
  actorOf,
  hashSecret,
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
import { appendToSystem } from "./system-stream.ts";
import type { Tokens } from "./types.ts";

export interface TokensDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  /** At least 128 bits that nobody can guess, as letters, digits, - and _. */
  readonly secret: () => string;
}

const PAGE = 200;

export function createTokens({ log, ids, clock, secret }: TokensDeps): Tokens {
  async function rowOf(id: string): Promise<StoredToken> {
    const row = isId("token", id) ? await log.row<StoredToken>("token", id) : undefined;
    if (row === undefined) throw new FairleadError("token_not_found", { details: { token_id: id } });
    return row;
  }

  return {
    async create(by, input) {
      demand(by, "token.manage");
      const actor = actorName(input.actor);
      const project = plainName("project", input.project ?? by.project);
      if (!manages(by, project))
        throw new FairleadError("forbidden", {
          message: `This credential is for the project ${by.project}.`,
          details: { project },
        });
      const expires_at = input.expires_at ?? null;
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
      let cursor: string | undefined;
      do {
        const page = await log.rows<StoredToken>("token", { scope: { owner: "any" }, limit: PAGE, cursor });
        found.push(...page.rows.filter((row) => manages(by, row.project)).map(toTokenRow));
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
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
      return row === undefined ? undefined : actorOf(row, given, clock.now());
    },
  };
}
