import { Lexer, type MarkedOptions, type Token, type TokensList } from "marked";

/** Nobody writes deeper; a text that does is there to break what reads it. */
const DEEPEST = 24;
/** What is read for emphasis and links at once: their time grows with the square of it, and of the signs in it. */
const LONGEST_RUN = 4_000;
const MOST_SIGNS = 500;
const SIGN = /[^\p{L}\p{N}\s.,:;]/gu;

/**
 * Reads any text in bounded depth and time. What is nested deeper is text; a run that is longer is read in pieces, so
 * that only what reaches over a cut has no looks. A class, because `marked` asks for one here.
 */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(source: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.#depth >= DEEPEST) return asText(source, tokens);
    return this.#deeper(() => super.blockTokens(source, tokens, clipped));
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= DEEPEST) return asText(source, tokens);
    return this.#deeper(() => {
      for (const run of runsOf(source)) super.inlineTokens(run, tokens);
      return tokens;
    });
  }

  #deeper(read: () => Token[]): Token[] {
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

function asText(text: string, tokens: Token[]): Token[] {
  tokens.push({ type: "text", raw: text, text, escaped: false });
  return tokens;
}

/** Cut at spaces, where there are some. Almost every text is one run. */
export function runsOf(text: string): readonly string[] {
  const runs: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = endOfRun(text, from);
    const space = end === text.length ? -1 : text.lastIndexOf(" ", end);
    const to = space > from ? space : end;
    runs.push(text.slice(from, to));
    from = to;
  }
  return runs;
}

function endOfRun(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_RUN);
  let signs = 0;
  for (const { index } of text.slice(from, most).matchAll(SIGN)) {
    signs += 1;
    if (signs > MOST_SIGNS) return from + index;
  }
  return most;
}

export function tokensOf(text: string, options: MarkedOptions<string, string>): TokensList {
  return new BoundedLexer(options as MarkedOptions).lex(text);
}
