import { createHash, timingSafeEqual } from "node:crypto";
import { type TokenId, type TokenRow, isId } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import type { Actor } from "./actor.ts";
import { is } from "./event.ts";
import { allows } from "./permission.ts";

/** The row as kept. The hash never leaves this folder's callers: `toTokenRow` drops it. */
export type StoredToken = TokenRow & { readonly secret_hash: string };

/** `flt_`, the token's id without its prefix, and the secret part: so a secret says which row to compare it with. */
const SECRET = /^flt_([0-9a-z]{1,64})_[A-Za-z0-9_-]{20,128}$/;

export function makeSecret(id: TokenId, random: string): string {
  return `flt_${id.slice("tok_".length)}_${random}`;
}

/** The id a secret belongs to; undefined when it is none of ours. */
export function tokenIdOf(secret: string): TokenId | undefined {
  const body = SECRET.exec(secret)?.[1];
  const id = `tok_${body}`;
  return body !== undefined && isId("token", id) ? id : undefined;
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Neither revoked nor expired. */
export function isUsable(row: StoredToken, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || Date.parse(row.expires_at) > now);
}

/** The actor that the secret speaks for, or undefined when it is wrong, revoked or expired. */
export function actorOf(row: StoredToken, secret: string, now: number): Actor | undefined {
  const given = Buffer.from(hashSecret(secret));
  const kept = Buffer.from(row.secret_hash);
  if (given.length !== kept.length || !timingSafeEqual(given, kept)) return undefined;
  if (!isUsable(row, now)) return undefined;
  const { expires_at } = row;
  return {
    name: row.actor,
    role: row.role,
    project: row.project,
    token_id: row.token_id,
    ...(expires_at === null ? {} : { expires_at }),
  };
}

/** Nobody can hand out more than they have: an admin of one project makes tokens for that project only. */
export function manages(actor: Actor, project: string | null): boolean {
  return allows(actor.role, "token.manage") && (actor.project === null || actor.project === project);
}

export function toTokenRow(row: StoredToken): TokenRow {
  const { secret_hash: _, ...served } = row;
  return served;
}

export const tokenProjection: Projection<StoredToken> = {
  kind: "token",
  types: ["runtime.token.created", "runtime.token.revoked"],
  key(event) {
    if (is(event, "runtime.token.created") || is(event, "runtime.token.revoked")) return event.data.token_id;
    return null;
  },
  evolve(row, event) {
    if (is(event, "runtime.token.created")) {
      const { data } = event;
      return {
        token_id: data.token_id,
        secret_hash: data.secret_hash,
        actor: data.actor,
        role: data.role,
        project: data.project ?? null,
        label: data.label ?? null,
        purpose: data.purpose,
        created_at: event.at,
        created_by: data.created_by ?? null,
        expires_at: data.expires_at ?? null,
        revoked_at: null,
        ...(data.parent === undefined ? {} : { parent: data.parent }),
      };
    }
    if (row === undefined) throw new Error(`Token event ${event.id} has nothing to change.`);
    return { ...row, revoked_at: row.revoked_at ?? event.at };
  },
  state: (row) => (row.revoked_at === null ? "active" : "revoked"),
  at: (row) => Date.parse(row.created_at),
};
