import type { Item } from "./items.ts";
import { itemUnits, type Scene, type Unit } from "./render-item.ts";
import { BLANK, type Line } from "./span.ts";

/** How far the items have been printed. */
export interface Printed {
  /** Of the first item: parts that are printed whole. */
  readonly units: number;
  /** Rows of the part after them, when it was too tall to wait for its end. */
  readonly lines: number;
  /** What was printed last, to know what must stand apart. */
  readonly last: Item["kind"] | null;
}

export const NOTHING_PRINTED: Printed = { units: 0, lines: 0, last: null };

export interface Layout {
  /** Rows to print now, for good. */
  readonly commit: readonly Line[];
  /** Rows that are drawn anew each time. */
  readonly live: readonly Line[];
  /** Items that are printed whole, and can be forgotten. */
  readonly done: number;
  readonly printed: Printed;
}

interface Placed extends Unit {
  /** The item that it belongs to. */
  readonly item: number;
}

/** What can be printed, what must still be drawn, within so many rows. Pure: the terminal is told, not asked. */
export function layout(items: readonly Item[], printed: Printed, scene: Scene, rows: number): Layout {
  const units = items.flatMap((item, i) => itemUnits(item, scene).map((unit) => ({ ...unit, item: i })));
  const fresh = units.slice(printed.units);
  const open = fresh.findIndex(({ final }) => !final);
  const settled = open === -1 ? fresh : fresh.slice(0, open);
  const moving = open === -1 ? [] : fresh.slice(open);

  const commit: Line[] = [];
  let { last, lines } = printed;
  for (const unit of settled) {
    commit.push(...apart(last, unit, lines), ...unit.lines.slice(lines));
    last = unit.kind;
    lines = 0;
  }
  const live: Line[] = [];
  let before = last;
  for (const [i, unit] of moving.entries()) {
    const skip = i === 0 ? lines : 0;
    live.push(...apart(before, unit, skip), ...unit.lines.slice(skip));
    before = unit.kind;
  }
  const first = moving[0];
  const over = live.length - rows;
  if (over > 0 && first?.kind === "text") {
    // Taller than the screen: what is above its edge could not be drawn anew anyway.
    const blank = apart(last, first, lines).length;
    const most = Math.max(0, Math.min(over, blank + first.lines.length - lines - 1));
    commit.push(...live.splice(0, most));
    lines += Math.max(0, most - blank);
  }
  return {
    commit,
    live: live.slice(-Math.max(1, rows)),
    ...progress(items, units, settled, printed, moving, lines, last),
  };
}

function progress(
  items: readonly Item[],
  units: readonly Placed[],
  settled: readonly Placed[],
  printed: Printed,
  moving: readonly Placed[],
  lines: number,
  last: Printed["last"],
): Pick<Layout, "done" | "printed"> {
  const done = moving[0]?.item ?? lastOpen(items);
  const past = printed.units + settled.length;
  const before = units.findIndex(({ item }) => item >= done);
  const own = before === -1 ? 0 : past - before;
  return { done, printed: { units: Math.max(0, own), lines, last } };
}

/** An item that shows nothing yet may still grow. */
function lastOpen(items: readonly Item[]): number {
  const open = items.findIndex(({ final }) => !final);
  return open === -1 ? items.length : open;
}

const CLOSE: ReadonlySet<string> = new Set(["tool", "decided", "note"]);

/** Rows that belong together stand together; a part that was begun is not set apart from itself. */
function apart(before: Printed["last"], { kind, lines }: Unit, begun: number): Line[] {
  if (begun > 0 || lines.length === 0) return [];
  return before !== null && CLOSE.has(before) && CLOSE.has(kind) ? [] : [BLANK];
}
