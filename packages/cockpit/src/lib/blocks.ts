const FENCE = /^ {0,3}(```|~~~)/;

/**
 * A text that still grows, cut where blank lines are, but not within code. Only the last part changes, so only that one is
 * formatted again with each word; once the text is whole, it is formatted as one.
 */
export function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) fenced = !fenced;
    if (line.trim() === "" && !fenced && block.length > 0) {
      blocks.push(block.join("\n"));
      block = [];
    } else block.push(line);
  }
  if (block.length > 0) blocks.push(block.join("\n"));
  return blocks;
}
