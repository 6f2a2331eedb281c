import { type PlainWord, plainWords } from "./plain-command.ts";

/** The words a command must begin with; `open`: the last of them is a beginning, and more words may follow. */
export interface WordPattern {
  readonly words: readonly string[];
  readonly open: boolean;
}

/** `git status*`, `git *`, `npm test`. A `*` stands only at the end. Undefined when it does not read. */
export function readWordPattern(text: string): WordPattern | undefined {
  const open = text.endsWith("*");
  const fixed = open ? text.slice(0, -1) : text;
  const blank = fixed === "" || /[ \t]$/.test(fixed);
  if (open && fixed.trim() === "") return { words: [""], open };
  const words = plainWords(fixed);
  if (words === undefined || words.some(({ glob }) => glob)) return undefined;
  const texts = words.map(({ text: word }) => word);
  return { words: open && blank ? [...texts, ""] : texts, open };
}

/** `command` is one simple command whose words the pattern allows. */
export function matchesWords({ words, open }: WordPattern, command: string): boolean {
  const given = plainWords(command);
  if (given === undefined) return false;
  if (open ? given.length < words.length : given.length !== words.length) return false;
  return words.every((word, i) => fits(given[i] as PlainWord, word, open && i === words.length - 1));
}

/** A word that the shell expands is none that the pattern names, except where any word will do. */
function fits({ text, glob }: PlainWord, word: string, begins: boolean): boolean {
  if (begins && word === "") return true;
  return !glob && (begins ? text.startsWith(word) : text === word);
}
