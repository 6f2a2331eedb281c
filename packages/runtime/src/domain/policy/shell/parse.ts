import type { Meter } from "../meter.ts";
import type { End, Scan } from "./scan.ts";
import { DEEPEST, giveUp, scanOf } from "./scan.ts";
import type { Element, List, Pipeline, Simple, Substitution, Word } from "./tree.ts";
import type { WordContext } from "./word.ts";
import { readDouble, readWord } from "./word.ts";

const REDIRECTS = ["&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<"];
/** Words that only introduce a command. */
const INTRODUCES = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "time", "coproc"]);

/** Reads shell syntax as far as it matters for which programs run with which words. Never throws. */
export function parseShell(text: string, meter: Meter): { readonly list: List; readonly readable: boolean } {
  const scan = scanOf(text, meter);
  const list = readList(scan, "");
  return { list, readable: scan.readable };
}

function readList(scan: Scan, end: End): List {
  if (scan.depth >= DEEPEST) {
    giveUp(scan);
    return [];
  }
  scan.depth += 1;
  const list: Pipeline[] = [];
  let pipeline: Element[] = [];
  const finish = (): void => {
    if (pipeline.length > 0) list.push(pipeline);
    pipeline = [];
  };
  for (;;) {
    skipBlanks(scan);
    const char = scan.text[scan.at];
    const next = scan.text[scan.at + 1];
    if (char === undefined) {
      if (end !== "") scan.readable = false;
      break;
    }
    if (char === end) {
      scan.at += 1;
      break;
    }
    if (char === "\n") {
      scan.at += 1;
      takeHereDocuments(scan);
      finish();
    } else if (char === "|" && next !== "|") {
      scan.at += next === "&" ? 2 : 1;
    } else if (char === ";" || char === ")" || char === "|" || (char === "&" && next !== ">")) {
      scan.at += 1;
      finish();
    } else if (char === "(" || (char === "{" && (next === undefined || /\s/.test(next)))) {
      scan.at += 1;
      pipeline.push({ kind: "group", list: readList(scan, char === "(" ? ")" : "}") });
    } else {
      const from = scan.at;
      const simple = readSimple(scan, end);
      // `pattern)` of a case is no command.
      const pattern = scan.text[scan.at] === ")" && end !== ")";
      if (simple !== undefined && !pattern) pipeline.push(simple);
      // Whatever could not be read is passed over: a reader that stands still never ends.
      if (scan.at === from) scan.at += 1;
    }
  }
  finish();
  scan.depth -= 1;
  return list;
}

function readSimple(scan: Scan, end: End): Simple | undefined {
  const words: Word[] = [];
  const redirects: string[] = [];
  const stdin: string[] = [];
  const substitutions: Substitution[] = [];
  const context: WordContext = { end, substitutions, readList };
  for (;;) {
    skipBlanks(scan);
    const char = scan.text[scan.at];
    const next = scan.text[scan.at + 1];
    if (
      char === undefined ||
      "\n;|()".includes(char) ||
      (char === "&" && next !== ">") ||
      (char === "`" && end === "`")
    )
      break;
    if ((char === "<" || char === ">") && next === "(") {
      scan.at += 2;
      substitutions.push({ list: readList(scan, ")"), flow: char === "<" ? "in" : "out" });
    } else if (char === "<" || char === ">" || char === "&") {
      readRedirect(scan, context, redirects, stdin);
    } else {
      const read = readWord(scan, context);
      const [first] = read;
      const follows = scan.text[scan.at];
      const descriptor = (follows === "<" || follows === ">") && /^\d+$/.test(first?.text ?? "");
      const introduces = words.length === 0 && first?.quoted === false && INTRODUCES.has(first.text);
      if (!descriptor && !introduces) words.push(...read);
    }
  }
  const empty = words.length + redirects.length + stdin.length + substitutions.length === 0;
  return empty ? undefined : { kind: "simple", words, redirects, stdin, substitutions };
}

function readRedirect(scan: Scan, context: WordContext, redirects: string[], stdin: string[]): void {
  const op = REDIRECTS.find((known) => scan.text.startsWith(known, scan.at)) ?? "&";
  scan.at += op.length;
  skipBlanks(scan);
  if (/^[<>]\(/.test(scan.text.slice(scan.at, scan.at + 2))) return;
  const words = readWord(scan, context);
  const target = words.map(({ text }) => text).join(" ");
  if (op === "<<<") stdin.push(target);
  else if (op === "<<" || op === "<<-") {
    scan.pending.push({
      delimiter: target,
      strip: op === "<<-",
      take(body) {
        stdin.push(body);
        if (words.some(({ quoted }) => quoted)) return;
        // Commands inside run even where the text itself goes to a program that only prints it.
        const inner = { ...scanOf(body, scan.meter), depth: scan.depth };
        readDouble(inner, context, false);
        scan.readable &&= inner.readable;
      },
    });
  } else if (!/^(\d+|-)?$/.test(target)) redirects.push(target);
}

function takeHereDocuments(scan: Scan): void {
  for (const { delimiter, strip, take } of scan.pending.splice(0)) {
    const lines: string[] = [];
    for (;;) {
      if (scan.at >= scan.text.length) {
        scan.readable = false;
        break;
      }
      const newline = scan.text.indexOf("\n", scan.at);
      const line = scan.text.slice(scan.at, newline === -1 ? undefined : newline);
      scan.at = newline === -1 ? scan.text.length : newline + 1;
      if ((strip ? line.replace(/^\t+/, "") : line) === delimiter) break;
      lines.push(line);
    }
    take(lines.join("\n"));
  }
}

/** Blanks, line continuations and comments. A comment begins where a word could. */
function skipBlanks(scan: Scan): void {
  for (;;) {
    const char = scan.text[scan.at];
    if (char === " " || char === "\t" || char === "\r") scan.at += 1;
    else if (char === "\\" && scan.text[scan.at + 1] === "\n") scan.at += 2;
    else if (char === "#") {
      const newline = scan.text.indexOf("\n", scan.at);
      scan.at = newline === -1 ? scan.text.length : newline;
    } else return;
  }
}
