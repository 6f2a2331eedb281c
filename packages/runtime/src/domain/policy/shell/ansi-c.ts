import type { Scan } from "./scan.ts";
import { giveUp } from "./scan.ts";

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

/** `$'…'`, from behind its opening quote: the one quoting in which letters can be written as numbers. */
export function ansiC(scan: Scan): string {
  let text = "";
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    scan.at += 1;
    if (char === "'") return text;
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
  giveUp(scan);
  return text;
}
