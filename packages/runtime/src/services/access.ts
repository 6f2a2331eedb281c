import {
  FairleadError,
  type SessionId,
  type StreamId,
  SYSTEM_STREAM,
  isId,
  isPlain,
} from "@fairlead/contract";
import { type Actor, sees } from "../domain/actor.ts";
import type { EventLog, StreamInfo } from "../ports/event-log.ts";

/** Where an actor's own names for sessions live. An agent's are its own: a name taken by others must tell it nothing. */
function aliasScope(actor: Actor): string {
  if (actor.role === "agent") return `agent:${actor.project ?? ""}:${actor.name}`;
  return actor.project === null ? "all" : `project:${actor.project}`;
}

/** What an alias claims: the name in the actor's own scope, and in the project of the session, so that both find it. */
export function aliasKeys(actor: Actor, project: string | null, alias: string): readonly string[] {
  const scopes = new Set([aliasScope(actor)]);
  if (actor.role !== "agent" && project !== null) scopes.add(`project:${project}`);
  return [...scopes].map((scope) => `alias:${scope}:${alias}`);
}

/** Turns an id or alias into the stream the actor may see. Throws session_not_found or session_purged. */
export async function resolveStream(log: EventLog, actor: Actor, ref: string): Promise<StreamInfo> {
  const id = isStream(ref) ? ref : await findAlias(log, `alias:${aliasScope(actor)}:${ref}`);
  const stream = id === undefined ? undefined : await log.stream(id);
  // Unseen and unknown get the same answer, and who may not see it learns not even that it was purged.
  if (stream === undefined || !sees(actor, stream)) {
    throw new FairleadError("session_not_found", { details: { session_id: ref } });
  }
  if (stream.state === "purged") {
    throw new FairleadError("session_purged", { details: { session_id: stream.id } });
  }
  return stream;
}

/** A key that no store could keep names nothing. */
async function findAlias(log: EventLog, key: string): Promise<StreamId | undefined> {
  return isPlain(key) ? (await log.findKey(key))?.stream : undefined;
}

/** As `resolveStream`, for commands: the runtime's own sessions take none. */
export async function commandStream(
  log: EventLog,
  actor: Actor,
  ref: string,
): Promise<StreamInfo & { readonly id: SessionId }> {
  const stream = await resolveStream(log, actor, ref);
  if (stream.owner === "system" || !isId("session", stream.id)) {
    throw new FairleadError("system_session", { details: { session_id: stream.id } });
  }
  return { ...stream, id: stream.id };
}

function isStream(ref: string): ref is StreamId {
  return ref === SYSTEM_STREAM || isId("session", ref);
}
