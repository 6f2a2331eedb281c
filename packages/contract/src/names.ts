import { z } from "zod";

/**
 * Whether a text can be a name that the log is searched by. Control characters and halves of surrogate
 * pairs cannot: PostgreSQL takes no NUL, and no terminal that lists the names should be sent the others.
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;
const LONGEST = 200;

/** Who does something: written into the log beside it, and shown wherever it is. */
export const ActorName = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST)
  .regex(PLAIN, "A name has no control characters.");

/** As `ActorName`, for a name that is used as it is. */
export function isActorName(text: string): boolean {
  return text !== "" && text.length <= LONGEST && text.trim() === text && isPlain(text);
}
