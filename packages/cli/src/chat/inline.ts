import type { Token, Tokens } from "marked";
import { type Span, span, type Style } from "./span.ts";

/** What stands in a paragraph, a heading, a cell. `marks`: without looks, code keeps its backticks. */
export function inlineSpans(
  tokens: readonly Token[] | undefined,
  marks: boolean,
  styles: readonly Style[] = [],
): Span[] {
  return (tokens ?? []).flatMap((token) => inlineSpan(token, marks, styles));
}

function inlineSpan(token: Token, marks: boolean, styles: readonly Style[]): Span[] {
  const inner = (...more: readonly Style[]): Span[] =>
    inlineSpans((token as Tokens.Generic).tokens, marks, [...styles, ...more]);
  switch (token.type) {
    case "strong":
      return inner("bold");
    case "em":
      return inner("italic");
    case "del":
      return inner("strike");
    case "codespan":
      return [span(marks ? `\`${token.text}\`` : token.text, ...styles, "cyan")];
    case "br":
      return [span(" ")];
    case "link":
      return [...inner("underline"), ...address(token as Tokens.Link)];
    case "image":
      return [span(`[image: ${token.text}]`, ...styles), ...address(token as Tokens.Image)];
    case "text":
    case "escape": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? [span(unescaped(text), ...styles)] : inner();
    }
    default:
      return [span(token.raw, ...styles)];
  }
}

/** Where a link leads is always to be seen: its text may say something else. */
function address({ href, text }: { readonly href: string; readonly text: string }): Span[] {
  return href === text || href === `mailto:${text}` ? [] : [span(` (${href})`, "dim")];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
