/** A part of a text that grows. */
export interface Block {
  readonly text: string;
  /** The beginning of its text, a head or a fence, is repeated from the block before: it is one with that. */
  readonly continued: boolean;
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])(?: |$)/;
const RULE = /^[|:\- ]*$/;
/** So long, a block is cut at its next row, item or line. */
const LONG = 1_500;

/**
 * A text that still grows, cut where blank lines are, but not within code; and within long tables, lists and code. Only the
 * last part changes, so only that one is formatted again with each word; once the text is whole, it is formatted as one.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let length = 0;
  let continued = false;
  /** What opened the code that a line is in. */
  let fence: string | null = null;
  /** The two lines that make a table of what follows. */
  let head: readonly string[] = [];

  function end(repeated: readonly string[] | null): void {
    if (lines.length > 0) blocks.push({ text: lines.join("\n"), continued });
    continued = repeated !== null;
    lines = [...(repeated ?? [])];
    length = 0;
  }
  function add(line: string): void {
    lines.push(line);
    length += line.length + 1;
  }

  for (const line of text.split("\n")) {
    if (fence !== null) {
      if (length > LONG) end([fence]);
      add(line);
      if (closes(line, fence)) fence = null;
    } else if (line.trim() === "") {
      if (lines.length > 0) end(null);
      head = [];
    } else {
      if (length > LONG && head.length > 0 && line.includes("|")) end(head);
      else if (length > LONG && ITEM.test(line)) end(null);
      add(line);
      if (FENCE.test(line)) fence = line;
      else if (lines.length === 2 && isRule(line)) head = [...lines];
    }
  }
  end(null);
  return blocks;
}

/** The line below a table's head. */
const isRule = (line: string): boolean => RULE.test(line) && line.includes("|") && line.includes("-");

/** Code is closed by at least as many of the same sign, and nothing after them. */
function closes(line: string, fence: string): boolean {
  const opened = FENCE.exec(fence)?.[0].trimStart() ?? "";
  const closing = line.trim();
  return (
    FENCE.test(line) && closing.startsWith(opened) && closing === opened.charAt(0).repeat(closing.length)
  );
}
