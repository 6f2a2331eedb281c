import type { Scan } from "./scan.ts";
import { giveUp, scanOf } from "./scan.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
};
const CODE = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/;

/** What `echo -e` and `printf` make of a text. */
export function unescaped(text: string): string {
  return read(scanOf(text), undefined);
}

/** `$'…'`, from behind its opening quote: the one quoting in which letters can be written as numbers. */
export function ansiC(scan: Scan): string {
  return read(scan, "'");
}

function read(scan: Scan, end: string | undefined): string {
  let text = "";
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    scan.at += 1;
    if (char === end) return text;
    if (char !== "\\") {
      text += char;
      continue;
    }
    const [code, hex, short, long, octal] = CODE.exec(scan.text.slice(scan.at, scan.at + 9)) ?? [];
    if (code === undefined) {
      const next = scan.text[scan.at] ?? "";
      text += SIMPLE[next] ?? next;
      scan.at += 1;
      continue;
    }
    const point =
      octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "0", 16) : Number.parseInt(octal, 8);
    text += point <= 0x10ffff ? String.fromCodePoint(point) : "?";
    scan.at += code.length;
  }
  if (end !== undefined) giveUp(scan);
  return text;
}
