const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that is markup already. Made only by `html` and `markup`. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | readonly Part[] | null;

function render(part: Part): string {
  if (part === null) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** A template that escapes whatever is put into it, unless it came from this template itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (const [i, part] of parts.entries()) text += render(part) + strings[i + 1]!;
  return new Markup(text);
}

/** Turns the backticks of our own sentences into `<code>`. */
export function prose(text: string): Part {
  return text.split("`").map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}
