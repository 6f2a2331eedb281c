import { type Json, text, worded } from "./json.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  approval_request: "A person was asked",
  pause: "The session was paused",
};
const OUTCOMES: Readonly<Record<string, string>> = {
  open: "Nobody has decided yet",
  approved: "It was let go on",
  denied: "It was not let go on",
  resumed: "It was resumed",
  moved: "The limit was changed instead",
};

const known = (words: Readonly<Record<string, string>>, name: string | null): string | null =>
  name === null ? null : Object.hasOwn(words, name) ? words[name]! : worded(name);

/** What a policy did, by the name of it. */
export const actionInWords = (action: string): string => known(ACTIONS, action) ?? "";

/** What a policy did when a limit was reached, why, and what came of it. Null where it did nothing. */
export function enforcementInWords(enforcement: Json): string | null {
  const action = known(ACTIONS, text(enforcement["action"]));
  if (action === null) return null;
  const reason = text(enforcement["reason"]);
  const outcome = known(OUTCOMES, text(enforcement["outcome"]));
  const done = reason === null ? `${action}.` : `${action}: ${reason}`;
  return outcome === null ? done : `${done} ${outcome}.`;
}
