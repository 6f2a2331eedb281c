import { z } from "zod";

/**
 * Whether a text can be a name that the log is searched by. Control characters and halves of surrogate
 * pairs cannot: PostgreSQL takes no NUL, and no terminal that lists the names should be sent the others.
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;
/** What turns text around: a name must not look like another one. */
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const LONGEST = 200;

/** Names that the runtime itself has in the log. */
const OWN_NAMES: ReadonlySet<string> = new Set(["fairlead", "system"]);

/** Whether a name could be taken for the runtime's own. */
export function isOwnName(text: string): boolean {
  return OWN_NAMES.has(text.normalize("NFKC").trim().toLowerCase());
}

/** Who does something: written into the log beside it, and shown wherever it is. */
export const ActorName = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST)
  .regex(PLAIN, "A name has no control characters.")
  .refine((text) => !BIDI.test(text), "A name has no characters that change the direction of text.")
  .refine((text) => !isOwnName(text), "This name is the runtime's own.");

/** What no session can be called: `all` means every session, and paths lose the others on their way. */
const NO_ALIASES: ReadonlySet<string> = new Set(["all", ".", ".."]);

export function isReservedAlias(text: string): boolean {
  return NO_ALIASES.has(text);
}

/** As `ActorName`, for a name that is used as it is: the runtime's own too. */
export function isActorName(text: string): boolean {
  return text !== "" && text.length <= LONGEST && text.trim() === text && isPlain(text);
}
