import { SLASH_COMMANDS } from "./slash.ts";

export interface Completion {
  /** What is replaced. */
  readonly start: number;
  readonly end: number;
  /** The best first. */
  readonly options: readonly string[];
  readonly index: number;
}

const MOST = 50;

/** What could stand at the cursor: a file after `@`, a command after `/`, a value after a command. */
export function completionAt(text: string, cursor: number, files: readonly string[]): Completion | undefined {
  const head = text.slice(0, cursor);
  const file = /(?:^|\s)@(\S*)$/.exec(head);
  if (file !== null) {
    const word = file[1] ?? "";
    return found(
      cursor - word.length - 1,
      cursor,
      ranked(files, word).map((path) => `@${path} `),
    );
  }
  const value = /^\/(\w+)\s+(\S*)$/.exec(head);
  if (value !== null) {
    const [, name, word = ""] = value;
    const values = SLASH_COMMANDS.find((command) => command.name === name)?.values ?? [];
    return found(
      cursor - word.length,
      cursor,
      values.filter((one) => one.startsWith(word)),
    );
  }
  const command = /^\/(\w*)$/.exec(head);
  if (command === null) return undefined;
  const names = SLASH_COMMANDS.map(({ name }) => name).filter((name) => name.startsWith(command[1] ?? ""));
  return found(
    0,
    cursor,
    names.map((name) => `/${name} `),
  );
}

function found(start: number, end: number, options: readonly string[]): Completion | undefined {
  return options.length === 0 ? undefined : { start, end, options: options.slice(0, MOST), index: 0 };
}

/** Those that have the letters in this order; the sooner the name itself has them, the better. */
export function ranked(files: readonly string[], word: string): string[] {
  const letters = word.toLowerCase();
  return files
    .map((path) => ({ path, score: scoreOf(path.toLowerCase(), letters) }))
    .filter(({ score }) => score < Infinity)
    .toSorted((a, b) => a.score - b.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ path }) => path);
}

function scoreOf(path: string, word: string): number {
  if (word === "") return path.split("/").length;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path.startsWith(word) || name.startsWith(word)) return 0;
  if (name.includes(word)) return 1;
  if (path.includes(word)) return 2;
  let at = -1;
  for (const letter of word) {
    at = path.indexOf(letter, at + 1);
    if (at === -1) return Infinity;
  }
  return 3;
}

/** The text with the chosen one in its place, and where the cursor goes. */
export function completed(
  text: string,
  { start, end, options, index }: Completion,
): { text: string; cursor: number } {
  const option = options[index] ?? "";
  return { text: text.slice(0, start) + option + text.slice(end), cursor: start + option.length };
}
