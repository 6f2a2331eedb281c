import type { GrantRow, GrantState, SessionId } from "@fairlead/contract";
import type { StreamInfo } from "../../ports/event-log.ts";
import type { Projection } from "../../ports/projection.ts";
import { is } from "../event.ts";
import { matchesPattern, parsePattern } from "./pattern.ts";
import { patternRisk } from "./suggest.ts";
import type { Asked } from "./types.ts";

/**
 * A yes that reaches beyond its call. What the question said about why it was asked is in the question's own row:
 * `origin` is joined from there.
 */
export type StoredGrant = Omit<GrantRow, "state" | "origin" | "risk"> & {
  readonly created_by: string | null;
};
export type Grant = StoredGrant & { readonly origin: string | null };

/** What lists filter by: how far it reaches while it stands. Time alone ends some of them, and writes nothing. */
export const STANDING = ["turn", "session", "pattern"] as const;

export const grantProjection: Projection<StoredGrant> = {
  kind: "grant",
  types: ["runtime.question.decided", "runtime.grant.revoked"],
  key(event) {
    if (is(event, "runtime.grant.revoked")) return event.data.grant_id;
    return is(event, "runtime.question.decided") ? (event.data.grant_id ?? null) : null;
  },
  evolve(row, event, stream) {
    if (is(event, "runtime.question.decided") && row === undefined) {
      const { scope, grant_id, request_id, tool_name, actor, decided_at } = event.data;
      if (grant_id === undefined || scope === undefined || scope.kind === "call")
        throw new Error(`Decision ${event.id} grants nothing.`);
      return {
        grant_id,
        request_id,
        session_id: stream.id as SessionId,
        turn_id: event.turn_id,
        project: stream.project,
        created_by: stream.created_by,
        scope: scope.kind,
        pattern: scope.pattern ?? "",
        tool_name,
        actor,
        created_at: decided_at,
        expires_at: scope.expires_at ?? null,
        revoked_at: null,
        revoked_by: null,
      };
    }
    if (row === undefined || !is(event, "runtime.grant.revoked"))
      throw new Error(`Grant event ${event.id} has nothing to change.`);
    if (row.revoked_at !== null) return row;
    return { ...row, revoked_at: event.at, revoked_by: event.data.actor };
  },
  state: (row) => (row.revoked_at === null ? row.scope : "revoked"),
  at: (row) => Date.parse(row.created_at),
};

export function stateOf({ revoked_at, expires_at }: StoredGrant, now: number): GrantState {
  if (revoked_at !== null) return "revoked";
  // A time that does not read has passed.
  return expires_at !== null && !(Date.parse(expires_at) > now) ? "expired" : "active";
}

/** A call that would be asked about. */
export interface Matter {
  readonly session: Pick<StreamInfo, "id" | "project" | "created_by">;
  readonly turn_id: string;
  readonly asked: Asked;
  /** Why it would be asked: a yes to one reason is none to another. */
  readonly origin: string;
  readonly now: number;
}

/** All of `covers` but the reason. */
export function reaches(grant: StoredGrant, { session, turn_id, asked, now }: Matter): boolean {
  if (stateOf(grant, now) !== "active" || !reachesSession(grant, session, turn_id)) return false;
  if (grant.tool_name !== asked.name) return false;
  const read = parsePattern(grant.pattern);
  return read.ok && matchesPattern(read.pattern, asked);
}

/** Whether this yes answers the question before it is asked. */
export function covers(grant: Grant, matter: Matter): boolean {
  return grant.origin !== null && grant.origin === matter.origin && reaches(grant, matter);
}

function reachesSession(grant: StoredGrant, session: Matter["session"], turn_id: string): boolean {
  const same = grant.session_id === session.id;
  switch (grant.scope) {
    case "turn":
      return same && grant.turn_id !== null && grant.turn_id === turn_id;
    case "session":
      return same;
    case "pattern": {
      const { project, created_by } = session;
      // Sessions of others in the same project are theirs to answer for.
      return same || (created_by !== null && created_by === grant.created_by && project === grant.project);
    }
  }
}

export function toGrantRow(grant: Grant, now: number): GrantRow {
  const { created_by: _by, ...row } = grant;
  const read = parsePattern(grant.pattern);
  const risk = read.ok ? patternRisk(read.pattern) : undefined;
  return { ...row, state: stateOf(grant, now), risk: risk ?? null };
}
