import { z } from "zod";

/** One prefix an entity. The prefix is part of the id, so a stray id says what it names. */
export const ID_PREFIXES = {
  session: "ses",
  project: "prj",
  event: "evt",
  turn: "trn",
  question: "apr",
  token: "tok",
  request: "req",
  attempt: "att",
  supervision: "sup",
  grant: "gnt",
  input: "inp",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;
export type Id<K extends IdKind> = `${(typeof ID_PREFIXES)[K]}_${string}` & { readonly brand?: K };

export type SessionId = Id<"session">;
export type ProjectId = Id<"project">;
export type EventId = Id<"event">;
export type TurnId = Id<"turn">;
export type QuestionId = Id<"question">;
export type TokenId = Id<"token">;
export type GrantId = Id<"grant">;
export type InputId = Id<"input">;

/** The one stream that is neither a session nor a project: facts about the installation itself. */
export const SYSTEM_STREAM = "system";
export type StreamId = SessionId | ProjectId | typeof SYSTEM_STREAM;

const BODY = "[0-9A-Za-z]{1,64}";

export function isId<K extends IdKind>(kind: K, text: unknown): text is Id<K> {
  return typeof text === "string" && ID_PATTERNS[kind].test(text);
}

export function isStreamId(text: unknown): text is StreamId {
  return text === SYSTEM_STREAM || isId("session", text) || isId("project", text);
}

const ID_PATTERNS = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [kind, new RegExp(`^${prefix}_${BODY}$`)]),
) as Record<IdKind, RegExp>;

/** The schema of an id of ours. Ids of foreign agents and clients are plain strings and kept as aliases. */
export function idSchema<K extends IdKind>(kind: K): z.ZodType<Id<K>> {
  return z.string().regex(ID_PATTERNS[kind]) as unknown as z.ZodType<Id<K>>;
}

// Crockford's alphabet in lower case: sorts as ASCII, has no letters that look like digits.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const TAIL_CHARS = 16;

function encode(value: number, chars: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < chars; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

export interface IdSource {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number in [0, 1). */
  random(): number;
}

/**
 * Makes ids that sort by time, and strictly increase within one source even inside one millisecond
 * or when the clock steps back: 10 characters of time, 8 of randomness, 8 of counter.
 *
 * A source knows nothing of those before it or beside it: after a restart with a clock that was set
 * back, or in another process, ids of later events can sort before earlier ones. Events are ordered
 * by their `seq`, and across streams by their position; an id only names.
 */
export function idMaker(source: IdSource): <K extends IdKind>(kind: K) => Id<K> {
  const half = TAIL_CHARS / 2;
  let last = -1;
  let head = "";
  let counter = 0;
  return (kind) => {
    const now = Math.floor(source.now());
    if (now > last) {
      last = now;
      head = encode(now, TIME_CHARS) + encode(Math.floor(source.random() * 32 ** half), half);
      counter = Math.floor(source.random() * 32 ** 4);
    } else {
      counter += 1;
    }
    return `${ID_PREFIXES[kind]}_${head}${encode(counter, half)}` as Id<typeof kind>;
  };
}
