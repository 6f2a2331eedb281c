/** A piece of a terminal's output with one look. */
export interface Styled {
  readonly text: string;
  readonly classes: string;
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
// Anything that a terminal would obey: CSI, OSC (closed by BEL or ST), and other escapes.
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function hasAnsi(text: string): boolean {
  return text.includes("\u001b");
}

/** Looks only: what moves the cursor, sets titles or makes links is dropped. A carriage return begins the line anew. */
export function styledLines(text: string): readonly Styled[] {
  const parts: Styled[] = [];
  let look: Look = PLAIN;
  let from = 0;
  const add = (piece: string): void => {
    const clean = piece.split("\n").map(begunAnew).join("\n").replaceAll(CONTROL, "");
    if (clean !== "") parts.push({ text: clean, classes: classesOf(look) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    add(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") look = changed(look, match[1] ?? "");
  }
  add(text.slice(from));
  return parts;
}

/** What is left of a line: after the last return that does not end it. */
function begunAnew(line: string): string {
  const returned = line.length < 2 ? -1 : line.lastIndexOf("\r", line.length - 2);
  return line.slice(returned + 1);
}

interface Look {
  readonly colour: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}
const PLAIN: Look = { colour: null, bold: false, dim: false, italic: false, underline: false };

function changed(look: Look, codes: string): Look {
  let next = look;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i]!;
    if (code === 0) next = PLAIN;
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 3) next = { ...next, italic: true };
    else if (code === 4) next = { ...next, underline: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 39) next = { ...next, colour: null };
    else if (code >= 30 && code <= 37) next = { ...next, colour: COLOURS[code - 30]! };
    else if (code >= 90 && code <= 97) next = { ...next, colour: COLOURS[code - 90]! };
    // Colours by number or by value: not ours to show, and their arguments are no codes.
    else if (code === 38 || code === 48) i += numbers[i + 1] === 5 ? 2 : 4;
  }
  return next;
}

function classesOf({ colour, bold, dim, italic, underline }: Look): string {
  return [
    colour === null ? "" : `ansi-${colour}`,
    bold ? "ansi-bold" : "",
    dim ? "ansi-dim" : "",
    italic ? "ansi-italic" : "",
    underline ? "ansi-underline" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}
