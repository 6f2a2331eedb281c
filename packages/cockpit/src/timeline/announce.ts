import type { Entry, TextEntry } from "@fairlead/contract/view";

/** What those who listen have heard: events up to one, of each text so many characters, and of each row its words. */
export interface Heard {
  readonly upTo: number;
  readonly texts: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, string>;
}

/** What is told at once beside texts: the last ones say where it stands. */
const MOST = 3;
/** A text without an end of a sentence is told in pieces of words. */
const LONG = 300;

/** What is new since: texts by whole sentences while they stream, the rest row by row. At first nothing is. */
export function announce(
  entries: readonly Entry[],
  high: number,
  before: Heard | null,
): { readonly words: readonly string[]; readonly heard: Heard } {
  const texts = new Map<string, number>();
  const told: string[] = [];
  const rows: string[] = [];
  const said = new Map<string, string>();
  for (const entry of entries) {
    if (entry.tier !== "default") continue;
    const isNew = before !== null && (entry.sources.at(-1) ?? 0) > before.upTo;
    if (entry.kind === "text") {
      // The pieces of a text are not among its sources: what is known of it grows by itself.
      const known = before?.texts.get(entry.key) ?? (isNew ? 0 : undefined);
      const from = known ?? entry.text.length;
      const to = known === undefined ? from : endOf(entry, from);
      texts.set(entry.key, to);
      const words = entry.text.slice(from, to).trim();
      if (words !== "") told.push(words);
    } else {
      const words = wordsOf(entry);
      // A row is made of several events: one that changes nothing of what is told is no news.
      if (isNew && words !== null && words !== before.rows.get(entry.key)) rows.push(words);
      if (words !== null) said.set(entry.key, words);
    }
  }
  const upTo = Math.max(before?.upTo ?? 0, high);
  return { words: [...told, ...rows.slice(-MOST)], heard: { upTo, texts, rows: said } };
}

/** Up to where a text can be told: all of it once it is whole. */
function endOf({ text, open }: TextEntry, from: number): number {
  if (!open) return text.length;
  const rest = text.slice(from);
  let end = 0;
  for (const { index } of rest.matchAll(/[.!?…:](?=\s)|\n/g)) end = index + 1;
  if (end > 0) return from + end;
  return rest.length < LONG ? from : from + rest.lastIndexOf(" ") + 1;
}

function wordsOf(entry: Entry): string | null {
  if (entry.kind === "question" && entry.decided === null) return `${entry.tool} asks for a decision.`;
  if (entry.kind === "tool" && entry.elapsed !== null) return `${entry.name}: ${entry.state}.`;
  if (entry.kind === "end") return `Turn ${entry.status}.`;
  if (entry.kind === "enforced") return "A budget is used up.";
  if (entry.kind === "notice")
    return [entry.title, entry.next].filter((part) => part !== undefined).join(" ");
  return null;
}
