import { FairleadError, isActorName } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { type Action, allows } from "../domain/permission.ts";
import type { Appended, Refusal } from "../ports/event-log.ts";

/** The one place where a refusal becomes an error. */
export function refused(refusal: Refusal): FairleadError {
  return new FairleadError(refusal.code, { message: refusal.message, details: refusal.details });
}

/** The events of an append that was taken; throws what refused it. */
export function taken(appended: Appended): Extract<Appended, { ok: true }>["events"] {
  if (!appended.ok) throw refused(appended.refusal);
  return appended.events;
}

export function demand(actor: Actor, action: Action): void {
  if (!isActorName(actor.name))
    throw badRequest("The name of the actor is none that can be kept.", { actor: actor.name });
  if (allows(actor.role, action)) return;
  throw new FairleadError("forbidden", {
    message: `The role ${actor.role} does not allow ${action}.`,
    details: { role: actor.role, action },
  });
}

export function badRequest(message: string, details?: Readonly<Record<string, unknown>>): FairleadError {
  return new FairleadError("bad_request", { message, details });
}
