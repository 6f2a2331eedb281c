import { ActorName, isPlain } from "@fairlead/contract";
import { badRequest } from "./refusal.ts";

/** The name as it is kept. Throws bad_request: not every caller comes through a route. */
export function actorName(given: string): string {
  const read = ActorName.safeParse(given);
  if (read.success) return read.data;
  throw badRequest(`That is no name for an actor: ${read.error.issues[0]?.message}`, { actor: given });
}

/** A name of something else that the log is searched by. Throws bad_request. */
export function plainName<T extends string | null>(what: string, name: T): T {
  if (name === null || (name !== "" && isPlain(name))) return name;
  throw badRequest(`The ${what} must not be empty or have control characters.`, { [what]: name });
}
