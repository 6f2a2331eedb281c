/** How much of what was shown is looked at for the beginning of a secret: "password: " and the like. */
const CONTEXT_CHARS = 256;
const OPENING_CHARS = 48;
/** So much of a word that does not end is held back: every secret but the two below shows itself within it. */
const WORD_CHARS = 512;
/** A token that has not ended by then is replaced, with all that follows of its word. */
const LONGEST_TOKEN = 16_384;
/** A private key that has not ended by then is replaced, with all that follows until it ends. */
const LONGEST_KEY = 32_768;

/**
 * Redacts a text that comes in pieces. The log looks at one event at a time and would miss a secret
 * that is cut in two. Invariants:
 * 1. What is shown ends where no secret that the redactor knows can be going on.
 * 2. At most LONGEST_KEY characters are held back.
 */
export interface Veil {
  add(text: string): void;
  /** What can be shown now; the rest may become a secret. */
  take(): string;
  /** All that is left, now that nothing more comes. */
  end(): string;
}

export function createVeil(redact: (text: string) => string): Veil {
  let context = "";
  let held = "";
  /** Set while the rest of a secret, whose beginning was replaced, is thrown away. */
  let until: RegExp | undefined;

  /** The first part of what is held, as it may be shown after all that came before it. */
  function show(length: number): string {
    const whole = context + held.slice(0, length);
    const seen = redact(context);
    const now = redact(whole);
    held = held.slice(length);
    context = whole.slice(-CONTEXT_CHARS);
    // What was shown stays shown; from where the redacted texts part, only the new one is.
    let same = 0;
    while (same < seen.length && seen[same] === now[same]) same += 1;
    return now.slice(same);
  }

  function shut(at: number, kind: string, end: RegExp): string {
    // The mark of its end may have come in part.
    const rest = held.slice(at).slice(-MARK_CHARS);
    const shown = `${show(at)}[redacted:${kind}]`;
    [held, context, until] = [rest, "", end];
    return shown;
  }

  /** False while the end of what is thrown away has not come. */
  function opened(): boolean {
    if (until === undefined) return true;
    const end = until.exec(held);
    held = end === null ? held.slice(-MARK_CHARS) : held.slice(end.index + end[0].length);
    if (end !== null) until = undefined;
    return end !== null;
  }

  /** Upholds 1 within the last word, from `start`, which has grown beyond WORD_CHARS. */
  function takeLong(start: number): string {
    const word = held.slice(start);
    const before = (context + held.slice(0, start)).slice(-CONTEXT_CHARS);
    const secret = BEGINS_A_TOKEN.test(word) || redact(before + word) !== redact(before) + word;
    if (!secret) return show(whole(held, held.length - WORD_CHARS));
    return word.length > LONGEST_TOKEN ? shut(start, "token", WORD_END) : show(start);
  }

  return {
    add(text) {
      held += text;
    },
    take() {
      if (!opened()) return "";
      held = held.replaceAll(KEY, "[redacted:private-key]");
      const key = KEY_BEGINS.exec(held)?.index;
      if (key !== undefined) {
        if (held.length - key > LONGEST_KEY) return shut(key, "private-key", KEY_ENDS);
        return show(lastWord(held.slice(0, key)));
      }
      const start = lastWord(held);
      const word = held.slice(start);
      if (word.length > WORD_CHARS) return takeLong(start);
      const before = (context + held.slice(0, start)).slice(-OPENING_CHARS);
      return show(LIKE_A_SECRET.test(word) || OPENS_A_SECRET.test(before) ? start : held.length);
    },
    end() {
      if (!opened()) return "";
      held = held.replaceAll(KEY, "[redacted:private-key]");
      const key = KEY_BEGINS.exec(held)?.index;
      // A key that broke off. Without a line of one it was only mentioned.
      if (key !== undefined && KEY_LINE.test(held.slice(key))) return shut(key, "private-key", KEY_ENDS);
      return show(held.length);
    },
  };
}

/** Plain words pass at once; keys and tokens have digits, marks or capitals within. */
const LIKE_A_SECRET = /[\d_+/=~-]|[a-z][A-Z]|[A-Z]{2}|\.\S/;
/** A value comes next. */
const OPENS_A_SECRET =
  /(?:[=:]\s{0,3}["']?|(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3}|-[\w-]{1,40}\s{1,3}["']?|["'])$/i;
/** A JSON web token, which is one only from its second dot on: that can be thousands of characters away. */
const BEGINS_A_TOKEN = /(?:^|[^A-Za-z0-9_])eyJ/;
const WORD_END = /(?=[\s"'&,;])/;
/** Also while its first line is not whole. */
const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9 ]{0,40}$|[A-Z0-9 ]{0,40}PRIVATE KEY)/;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_LINE = /[A-Za-z0-9+/=]{40}/;
/** No end mark is longer. */
const MARK_CHARS = 80;
const KEY = new RegExp(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?${KEY_ENDS.source}`, "g");

/** Where the last word begins; the length when the text ends in a space. */
function lastWord(text: string): number {
  let start = text.length;
  while (start > 0 && !/\s/.test(text[start - 1] as string)) start -= 1;
  return start;
}

/** The length, or one less where that would cut a surrogate pair in half. */
function whole(text: string, length: number): number {
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
