/** How much of what came before is looked at for the beginning of a secret. */
const CONTEXT_CHARS = 4_096;
/** A word longer than this is let go: it is no secret, and waiting for its end could take for ever. */
const WORD_CHARS = 512;

/** Redacts a text that comes in pieces. The log looks at one event at a time and would miss a secret cut in two. */
export interface Veil {
  /** How much of the text can be written now; the rest is a word that may become a secret. */
  ready(text: string): number;
  /** The piece as it may be written, given all that came before it. */
  reveal(piece: string): string;
}

export function createVeil(redact: (text: string) => string): Veil {
  let context = "";
  return {
    ready(text) {
      const start = lastWord(text);
      const word = text.slice(start);
      if (word === "" || word.length > WORD_CHARS) return text.length;
      const before = (context + text.slice(0, start)).slice(-16);
      return LIKE_A_SECRET.test(word) || OPENS_A_SECRET.test(before) ? start : text.length;
    },
    reveal(piece) {
      const whole = context + piece;
      const seen = redact(context);
      const now = redact(whole);
      context = whole.slice(-CONTEXT_CHARS);
      if (now === whole) return piece;
      // What was written stays written; from where the redacted texts part, only the new one is shown.
      let same = 0;
      while (same < seen.length && seen[same] === now[same]) same += 1;
      return now.slice(same);
    },
  };
}

/** Plain words pass at once; keys and tokens have digits, marks or capitals within. */
const LIKE_A_SECRET = /[\d_+/=~-]|[a-z][A-Z]|[A-Z]{2}|\.\S/;
/** A value comes next. */
const OPENS_A_SECRET = /(?:[=:]\s?["']?|earer\s+|asic\s+|["'])$/;

/** Where the last word begins, as far as it matters; the length when the text ends in a space. */
function lastWord(text: string): number {
  let start = text.length;
  while (start > 0 && text.length - start <= WORD_CHARS && !/\s/.test(text[start - 1] as string)) start -= 1;
  return start;
}
