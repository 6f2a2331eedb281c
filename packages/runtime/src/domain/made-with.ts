import type { NewEvent, SessionState } from "@fairlead/contract";
import type { Actor } from "./actor.ts";

/** The state that a session begins with, with the token that made it: not that of the session it is a branch of. */
export function madeWith(event: NewEvent, { token_id }: Pick<Actor, "token_id">): NewEvent {
  if (event.type !== "runtime.session.state") return event;
  const { created_with: _, ...state } = event.data as SessionState;
  return {
    ...event,
    type: "runtime.session.state",
    data: { ...state, ...(token_id === null ? {} : { created_with: token_id }) } as SessionState,
  };
}
