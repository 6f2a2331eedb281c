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
  const tokens = lexer(text);
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const head = tokens.slice(0, Math.max(0, last));
  const finished = head.filter(({ type }) => type !== "space" && type !== "def").map(({ raw }) => raw);
  // By length from the end: the lexer may have rewritten line breaks and tabs before.
  const rest = tokens
    .slice(Math.max(0, last))
    .map(({ raw }) => raw)
    .join("");
  return finished.length === 0 ? { finished, rest: text } : { finished, rest };
}
