import { lexer } from "marked";

export interface Split {
  /** Blocks that nothing still to come can change, each as it was written. */
  readonly finished: readonly string[];
  /** The block that may still grow. */
  readonly rest: string;
}

/**
 * Text that is still coming, cut after its last finished block. A block is finished when another has begun: a list
 * takes up items after an empty line, and a paragraph becomes a heading when it is underlined.
 */
export function splitBlocks(text: string): Split {
  if (!text.includes("\n")) return { finished: [], rest: text };
  const tokens = lexer(text).filter(({ type }) => type !== "space");
  const finished = tokens.slice(0, -1).map(({ raw }) => raw);
  let at = 0;
  for (const raw of finished) {
    // The lexer trims what it took, and rewrites some of it: where it cannot be found again, nothing is cut.
    const found = text.indexOf(raw, at);
    if (found === -1 || text.slice(at, found).trim() !== "") return { finished: [], rest: text };
    at = found + raw.length;
  }
  return { finished, rest: at === 0 ? text : text.slice(at).replace(/^(?:[ \t]*\n)+/, "") };
}
