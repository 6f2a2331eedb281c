import type { Completion } from "./complete.ts";
import type { Editor } from "./editor.ts";
import { type Cursor, editorRows } from "./editor-rows.ts";
import { type Layout, layout, type Printed } from "./layout.ts";
import type { View } from "./model.ts";
import { type Overlay, overlayLines, waitingLines } from "./overlay.ts";
import { BLANK, clipped, type Line, span } from "./span.ts";
import { statusLine } from "./status-line.ts";
import { taskLines } from "./task-lines.ts";

/** All that the screen is a function of. */
export interface Shown {
  readonly view: View;
  readonly session: string | null;
  readonly connection: string | undefined;
  readonly editor: Editor;
  readonly overlay: Overlay | null;
  readonly completion: Completion | null;
  /** One row for a moment, in place of the status. */
  readonly hint: string | null;
  readonly thinking: boolean;
  readonly colour: boolean;
  readonly width: number;
  readonly height: number;
  readonly now: number;
}

export interface FrameOut extends Omit<Layout, "live"> {
  readonly live: readonly Line[];
  readonly cursor: Cursor;
}

const TASK_ROWS = 5;
const COMPLETION_ROWS = 6;

/** What to print and what to draw: the conversation as it grows, and below it tasks, what waits, the input, the status. */
export function frameOf(shown: Shown, printed: Printed): FrameOut {
  const { view, overlay, editor, width, height } = shown;
  const above = [
    ...(view.turn !== null && view.tasks.length > 0 && height > 12
      ? [BLANK, ...taskLines(view.tasks, width, Math.min(TASK_ROWS, height - 10))]
      : []),
    BLANK,
    ...waitingLines(view.waiting, width),
    ...overlayLines(overlay, editor, width, Math.max(4, Math.min(12, height - 6))),
  ];
  const written = overlay?.kind === "pick" ? { rows: [], cursor: { row: -1, column: 0 } } : inputRows(shown);
  const below = [...completionLines(shown), bottomLine(shown)];
  const bottom = [...above, ...written.rows, ...below].slice(-height);
  const scene = { width, colour: shown.colour, now: shown.now, thinking: shown.thinking };
  const laid = layout(view.items, printed, scene, Math.max(1, height - bottom.length));
  const live = [...laid.live, ...bottom].slice(-height);
  const row = live.length - below.length - written.rows.length + written.cursor.row;
  return { ...laid, live, cursor: { row: Math.max(0, row), column: written.cursor.column } };
}

/** The longest that has room. */
const HINTS = {
  idle: ["Say what you want. @ names a file, /help helps.", "Say what you want. /help helps.", "/help helps"],
  working: [
    "Enter steers, Alt-Enter queues, Ctrl-C cancels.",
    "Enter steers, Ctrl-C cancels.",
    "Ctrl-C cancels",
  ],
} as const;

function inputRows({ editor, overlay, width, view }: Shown): ReturnType<typeof editorRows> {
  const mark = overlay?.kind === "ask" ? "? " : view.turn === null ? "› " : "↪ ";
  const made = editorRows(editor, [span(mark, "cyan", "bold")], width);
  if (editor.text !== "" || overlay !== null) return made;
  const empty =
    HINTS[view.turn === null ? "idle" : "working"].find(({ length }) => length + 2 <= width) ?? "";
  return { ...made, rows: [clipped([span(mark, "cyan", "bold"), span(empty, "dim")], width)] };
}

function completionLines({ completion, width }: Shown): Line[] {
  if (completion === null || completion.options.length < 2) return [];
  const { options, index } = completion;
  const from = Math.max(0, Math.min(index - 2, options.length - COMPLETION_ROWS));
  return options
    .slice(from, from + COMPLETION_ROWS)
    .map((option, i) =>
      clipped(
        [
          span(i + from === index ? "  ❯ " : "    ", "cyan"),
          span(option.trim(), ...(i + from === index ? (["bold"] as const) : (["dim"] as const))),
        ],
        width,
      ),
    );
}

function bottomLine(shown: Shown): Line {
  if (shown.hint !== null) return clipped([span(shown.hint, "yellow")], shown.width);
  return statusLine(shown.view, shown, shown.width);
}
