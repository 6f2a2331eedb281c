import { spend } from "../meter.ts";
import { ansiC } from "./ansi-c.ts";
import type { End, Scan } from "./scan.ts";
import { CLOSE, COMMA, DEEPEST, giveUp, OPEN, SPLIT, STOP } from "./scan.ts";
import type { List, Substitution, Word } from "./tree.ts";

const ENDS_WORD = " \t\r\n;&|()<>";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
/** Beyond these, braces are left as they stand: a name made of them then counts as computed. */
const MOST_WORDS = 64;
const LONGEST_BRACES = 2_000;

/** What a word needs of its surroundings: how to read commands inside it, and where they go. */
export interface WordContext {
  readonly end: End;
  readonly substitutions: Substitution[];
  readonly readList: (scan: Scan, end: End) => List;
}

/** The word that begins here; several when braces or `$IFS` make several of it. */
export function readWord(scan: Scan, context: WordContext): Word[] {
  let text = "";
  let quoted = false;
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (ENDS_WORD.includes(char) || (char === "`" && context.end === "`")) break;
    switch (char) {
      case "\\":
        if (scan.text[scan.at + 1] !== "\n") text += scan.text[scan.at + 1] ?? "";
        scan.at += 2;
        quoted = true;
        break;
      case "'":
        text += readSingle(scan);
        quoted = true;
        break;
      case '"':
        scan.at += 1;
        text += readDouble(scan, context);
        quoted = true;
        break;
      case "$":
        text += readDollar(scan, context, false);
        break;
      case "`":
        text += readInner(scan, context, 1, "`");
        break;
      case "{":
        scan.at += 1;
        text += OPEN;
        break;
      case ",":
        scan.at += 1;
        text += COMMA;
        break;
      case "}":
        scan.at += 1;
        text += CLOSE;
        break;
      default:
        text += readPlain(scan);
    }
  }
  return expand(scan, text).map((part) => ({ text: part, quoted }));
}

const PLAIN = /[\w./:=@%+-]+/y;

/** As many characters as mean nothing but themselves; at least one. */
function readPlain(scan: Scan): string {
  PLAIN.lastIndex = scan.at;
  const run = PLAIN.exec(scan.text)?.[0] ?? (scan.text[scan.at] as string);
  scan.at += run.length;
  return run;
}

function readSingle(scan: Scan): string {
  const close = scan.text.indexOf("'", scan.at + 1);
  const text = scan.text.slice(scan.at + 1, close === -1 ? undefined : close);
  if (close === -1) giveUp(scan);
  else scan.at = close + 1;
  return text;
}

/** Up to the closing quote, or to the end for a text that is all inside quotes, as a here-document is. */
export function readDouble(scan: Scan, context: WordContext, closes = true): string {
  let text = "";
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (char === '"' && closes) {
      scan.at += 1;
      return text;
    }
    if (char === "\\") {
      const next = scan.text[scan.at + 1] ?? "";
      if (next !== "\n") text += '$`"\\'.includes(next) ? next : `\\${next}`;
      scan.at += 2;
    } else if (char === "$") {
      text += readDollar(scan, context, true);
    } else if (char === "`" && context.end !== "`") {
      text += readInner(scan, context, 1, "`");
    } else {
      scan.at += 1;
      text += char;
    }
  }
  if (closes) scan.readable = false;
  return text;
}

function readDollar(scan: Scan, context: WordContext, inDouble: boolean): string {
  const next = scan.text[scan.at + 1] ?? "";
  if (next === "(") return readInner(scan, context, 2, ")");
  if (next === "{") return readBraces(scan, context, inDouble);
  if (next === "'" && !inDouble) {
    scan.at += 2;
    return ansiC(scan);
  }
  if (next === '"' && !inDouble) {
    scan.at += 2;
    return readDouble(scan, context);
  }
  const name =
    NAME.exec(scan.text.slice(scan.at + 1, scan.at + 101))?.[0] ?? (/[@*#?$!0-9-]/.test(next) ? next : "");
  scan.at += 1 + name.length;
  return variable(name, inDouble);
}

/** Commands whose output stands here. */
function readInner(scan: Scan, { substitutions, readList }: WordContext, skip: number, end: End): string {
  scan.at += skip;
  substitutions.push({ list: readList(scan, end), flow: "in" });
  return "$()";
}

/** `${name…}`: what follows the name may hold commands. */
function readBraces(scan: Scan, context: WordContext, inDouble: boolean): string {
  if (scan.depth >= DEEPEST) {
    giveUp(scan);
    return "$";
  }
  scan.depth += 1;
  const name = NAME.exec(scan.text.slice(scan.at + 2, scan.at + 102))?.[0] ?? "";
  scan.at += 2 + name.length;
  const from = scan.at;
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (char === "}") {
      const instead = /^:?[-=+](.+)$/s.exec(scan.text.slice(from, scan.at))?.[1];
      scan.at += 1;
      scan.depth -= 1;
      // `${x:-y}`: whoever writes a value there means it to be used.
      if (instead !== undefined && !instead.includes("$") && !instead.includes("`")) return unquoted(instead);
      return `${variable(name === "" ? "{}" : name, inDouble)}${name === "" ? "" : STOP}`;
    }
    if (char === "$") readDollar(scan, context, inDouble);
    else if (char === "`" && context.end !== "`") readInner(scan, context, 1, "`");
    else scan.at += char === "\\" ? 2 : 1;
  }
  scan.readable = false;
  return variable(name, inDouble);
}

function unquoted(text: string): string {
  return text.replaceAll(/["']/g, "");
}

/** The few variables whose value is known well enough; the rest stays as it is written. */
function variable(name: string, inDouble: boolean): string {
  switch (name) {
    case "IFS":
      return inDouble ? " " : SPLIT;
    case "HOME":
      return "~";
    case "PWD":
      return ".";
    case "TMPDIR":
      return "/tmp";
    default:
      return `$${name}`;
  }
}

const MARKED = /[\uE000-\uE003]/;
const ALTERNATIVES = /\uE000([^\uE000\uE002]*\uE001[^\uE000\uE002]*)\uE002/;

/** Splits at `$IFS` and writes braces out: `{rm,-rf,/}` is three words. */
function expand(scan: Scan, text: string): string[] {
  if (!MARKED.test(text)) return [text];
  let words = text.split(SPLIT).filter((part, _, all) => part !== "" || all.length === 1);
  while (text.length <= LONGEST_BRACES && words.length < MOST_WORDS) {
    const open = words.findIndex((word) => ALTERNATIVES.test(word));
    if (open === -1) break;
    // Each round looks at all the words there are so far.
    const size = words.reduce((sum, word) => sum + word.length, 0);
    if (!spend(scan.meter, "made", size)) {
      giveUp(scan);
      break;
    }
    const word = words[open] as string;
    const [whole = "", inner = ""] = ALTERNATIVES.exec(word) ?? [];
    const made = inner.split(COMMA).map((part) => word.replace(whole, () => part));
    words = words.toSpliced(open, 1, ...made);
  }
  return words.map((word) => word.replaceAll(OPEN, "{").replaceAll(COMMA, ",").replaceAll(CLOSE, "}"));
}
