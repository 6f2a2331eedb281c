import { newMeter } from "../policy/meter.ts";
import { parseShell } from "../policy/shell/parse.ts";
import { isAssignment } from "../policy/shell/unwrap.ts";

export interface PlainWord {
  readonly text: string;
  /** Has a `*`, `?` or `[` that the shell would expand. */
  readonly glob: boolean;
}

const LONGEST = 16_384;
/** Quotes in which nothing is expanded. */
const QUOTED = /'[^']*'|"[^"$`\\!]*"/g;
/** All that may stand outside them. What is not listed here may mean something to a shell. */
const HARMLESS = /^[\p{L}\p{M}\p{N}_ \t./:=@%+,^~*?[\]-]*$/u;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;

/**
 * The words of a command line that is one simple command and nothing else: no list, pipe, redirection, expansion,
 * assignment, comment or line break. Undefined for all other texts.
 *
 * Two readings must agree, because the shell reader is made to miss no program, and passes over what runs none.
 */
export function plainWords(command: string): readonly PlainWord[] | undefined {
  if (command.length > LONGEST || CONTROLS.test(command)) return undefined;
  const text = trimmed(command);
  if (!HARMLESS.test(text.replaceAll(QUOTED, "q"))) return undefined;
  const words = (text.match(WORD) ?? []).map((raw) => ({
    text: raw.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_, single?: string, double?: string) => single ?? double ?? "",
    ),
    glob: /[*?[\]]/.test(raw.replaceAll(QUOTED, "")),
  }));
  const [first] = words;
  if (first === undefined || first.text === "" || isAssignment(first.text)) return undefined;
  return agrees(text, words) ? words : undefined;
}

function agrees(text: string, words: readonly PlainWord[]): boolean {
  const meter = newMeter();
  const { list, readable } = parseShell(text, meter);
  const [pipeline] = list;
  const element = pipeline?.[0];
  if (!readable || meter.exceeded || list.length !== 1 || pipeline?.length !== 1) return false;
  if (element?.kind !== "simple") return false;
  const { redirects, stdin, substitutions, words: read } = element;
  if (redirects.length + stdin.length + substitutions.length > 0) return false;
  return read.length === words.length && read.every(({ text: word }, i) => word === words[i]?.text);
}

/** Without blanks and line breaks around it. Not `trim`, which takes characters that a shell keeps. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && " \t\n".includes(text[from] as string)) from += 1;
  while (to > from && " \t\n".includes(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}

/** The word as it can stand in a command line; undefined when plain quotes cannot hold it. */
export function quotedWord(word: string): string | undefined {
  if (/^[\p{L}\p{M}\p{N}_./:=@%+,^~-]+$/u.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return /["$`\\!]/.test(word) ? undefined : `"${word}"`;
}
