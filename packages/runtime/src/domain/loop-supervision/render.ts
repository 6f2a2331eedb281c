/** What a supervisor adds to a prompt: as much as this in all, in one item, and items of one kind. */
const MOST_CHARACTERS = 16_000;
const MOST_OF_ITEM = 2_000;
const MOST_ITEMS = 50;

/**
 * Text for the model, marked as a supervisor's: the same for the same input, and never longer than the limits. What it
 * says cannot end the mark early. Undefined when there is nothing to say.
 */
export function block(what: string, by: string, parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined && part !== "");
  if (said.length === 0) return undefined;
  const body = cut(said.join("\n\n").replaceAll(MARK, "<\u200b$1"), MOST_CHARACTERS);
  const tag = `supervisor-${what}`;
  return `<${tag} by="${nameOf(by)}">\n${NOTE}\n\n${body}\n</${tag}>`;
}

const NOTE = "From a supervisor of this run, not from the user.";
/** Where a text would open or close a mark of ours. */
const MARK = /<(\/?\s*supervisor)/gi;

/** A heading and a list under it; undefined without any. */
export function items(heading: string, texts: readonly string[] | undefined): string | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  const shown = texts
    .slice(0, MOST_ITEMS)
    .map((text) => `- ${cut(text, MOST_OF_ITEM).replaceAll("\n", "\n  ")}`);
  const rest = texts.length - shown.length;
  return [`${heading}:`, ...shown, ...(rest > 0 ? [`(${rest} more left out)`] : [])].join("\n");
}

/** Cut between characters, and saying so. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length - kept.length} characters left out)`;
}

function nameOf(by: string): string {
  return by.replaceAll(/[^\w.:-]/g, "_").slice(0, 100);
}
