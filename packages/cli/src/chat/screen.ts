import type { Cursor } from "./editor-rows.ts";
import { textWidth } from "./width.ts";

const CSI = "\u001b[";

export interface Screen {
  /** Prints rows for good above the live area, and draws the live area anew where it has changed. */
  draw(commit: readonly string[], live: readonly Row[], cursor: Cursor): void;
  /** After the terminal changed its size: rows that were drawn may have been broken anew. */
  resized(columns: number): void;
  /** Leaves the live area empty and the cursor at its first row. */
  clear(): void;
}

/** A row with and without looks: the second says how wide it is. */
export interface Row {
  readonly painted: string;
  readonly plain: string;
}

/** The lower end of a terminal. Never draws above what it drew last, so scrollback stays as it was printed. */
export function createScreen(write: (text: string) => void): Screen {
  let drawn: readonly Row[] = [];
  let at = 0;
  let column = 0;

  const top = (): string => (at > 0 ? `${CSI}${at}A\r` : "\r");

  return {
    draw(commit, live, cursor) {
      const same =
        live.length === drawn.length && live.every(({ painted }, i) => drawn[i]?.painted === painted);
      if (same && commit.length === 0 && at === cursor.row && column === cursor.column) return;
      let out = top();
      if (commit.length > 0) {
        out += commit.map((row) => `${row}${CSI}K\r\n`).join("");
        out += live.map(({ painted }) => `${painted}${CSI}K`).join("\r\n");
        out += `${CSI}J`;
      } else {
        out += live
          .map(({ painted }, i) => (drawn[i]?.painted === painted ? "" : `${painted}${CSI}K`))
          .join("\r\n");
        if (live.length < drawn.length) out += `\r\n${CSI}J${CSI}1A`;
      }
      const up = live.length - 1 - cursor.row;
      out += `${up > 0 ? `${CSI}${up}A` : ""}\r${cursor.column > 0 ? `${CSI}${cursor.column}C` : ""}`;
      drawn = live;
      at = cursor.row;
      column = cursor.column;
      // Shown at once by terminals that can; the others ignore it.
      write(`${CSI}?2026h${CSI}?25l${out}${CSI}?25h${CSI}?2026l`);
    },
    resized(columns) {
      const rows = drawn.slice(0, at).reduce((sum, { plain }) => {
        return sum + Math.max(1, Math.ceil(textWidth(plain) / Math.max(1, columns)));
      }, 0);
      write(`${rows > 0 ? `${CSI}${rows}A` : ""}\r${CSI}J`);
      drawn = [];
      at = 0;
    },
    clear() {
      write(`${top()}${CSI}J`);
      drawn = [];
      at = 0;
    },
  };
}
