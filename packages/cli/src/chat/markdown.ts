import { lexer, type Token, type Tokens } from "marked";
import { inlineSpans } from "./inline.ts";
import { BLANK, type Line, line, type Span, span, type Style } from "./span.ts";
import { tableLines } from "./markdown-table.ts";
import { wrap } from "./wrap.ts";

export interface Look {
  readonly width: number;
  /** Whether looks show. Without them, marks that carry meaning stay. */
  readonly colour: boolean;
}

/** Markdown of a model as rows. What is not understood is shown as it was written. */
export function markdownLines(text: string, look: Look): Line[] {
  return blockLines(lexer(text), look);
}

/** Blocks stand apart, but for a list within an item: that belongs to the words above it. */
function blockLines(tokens: readonly Token[], look: Look, inItem = false): Line[] {
  let rows: Line[] = [];
  for (const token of tokens) {
    const block = oneBlock(token, look);
    const close = rows.length === 0 || (inItem && token.type === "list");
    if (block.length > 0) rows = [...rows, ...(close ? [] : [BLANK]), ...block];
  }
  return rows;
}

const HEADINGS: readonly (readonly Style[])[] = [["bold", "underline"], ["bold"], ["bold", "dim"]];

function oneBlock(token: Token, look: Look): Line[] {
  const spans = (styles: readonly Style[] = []): Span[] =>
    inlineSpans((token as Tokens.Generic).tokens, !look.colour, styles);
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading": {
      const { depth } = token as Tokens.Heading;
      const mark = look.colour ? [] : [span(`${"#".repeat(depth)} `)];
      return wrap([...mark, ...spans(HEADINGS[depth - 1] ?? ["bold", "dim"])], look.width);
    }
    case "paragraph":
      return paragraph(spans(), look);
    case "text":
      return (token as Tokens.Text).tokens === undefined ? raw(token.raw, look) : paragraph(spans(), look);
    case "code":
      return codeLines(token as Tokens.Code, look);
    case "list":
      return listLines(token as Tokens.List, look);
    case "blockquote": {
      const inner = blockLines((token as Tokens.Blockquote).tokens, { ...look, width: look.width - 2 });
      return inner.map((row) => [span("▏ ", "dim"), ...row]);
    }
    case "table":
      return tableLines(token as Tokens.Table, look);
    case "hr":
      return [line("─".repeat(Math.min(look.width, 24)), "dim")];
    default:
      return raw(token.raw, look);
  }
}

function paragraph(spans: readonly Span[], look: Look): Line[] {
  return wrap(spans, look.width);
}

function raw(text: string, { width }: Look): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((one) => wrap([span(one)], width));
}

/** A bar at its left; what belongs to the line above is set in further. */
function codeLines({ text, lang }: Tokens.Code, { width }: Look): Line[] {
  const head: Line[] = lang ? [[span("▏ ", "dim"), span(lang, "dim")]] : [];
  const rows = text
    .split("\n")
    .flatMap((one) => wrap([span(one)], width, { first: [span("▏ ", "dim")], rest: [span("▏   ", "dim")] }));
  return [...head, ...rows];
}

function listLines({ items, ordered, start, loose }: Tokens.List, look: Look): Line[] {
  const first = Number(start) || 1;
  const wide = ordered ? String(first + items.length - 1).length + 2 : 2;
  const all = items.map((item, i) => {
    const mark = ordered ? `${first + i}. `.padStart(wide) : "• ";
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const inner = blockLines(
      item.tokens.filter(({ type }) => type !== "checkbox"),
      { ...look, width: Math.max(12, look.width - wide) },
      true,
    );
    const rows = inner.length === 0 ? [BLANK] : inner;
    return rows.map((row, n) =>
      n === 0
        ? [span(mark, "cyan"), ...(box === "" ? [] : [span(box)]), ...row]
        : [span(" ".repeat(wide)), ...row],
    );
  });
  // Apart only where an item has paragraphs of its own: the source often has empty lines for no reason.
  const airy = loose && items.some(({ tokens }) => tokens.filter(isParagraph).length > 1);
  return all.flatMap((rows, i) => (airy && i > 0 ? [BLANK, ...rows] : rows));
}

function isParagraph({ type }: Token): boolean {
  return type === "paragraph" || type === "text" || type === "code";
}
