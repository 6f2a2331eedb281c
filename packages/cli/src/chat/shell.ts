import type { Completion } from "./complete.ts";
import { type Editor, newEditor } from "./editor.ts";
import { frameOf } from "./frame.ts";
import { NOTHING_PRINTED, type Printed } from "./layout.ts";
import type { Conversation } from "./conversation.ts";
import type { Overlay } from "./overlay.ts";
import { createScreen, type Row } from "./screen.ts";
import { type Line, paint, plainLine } from "./span.ts";
import type { Terminal } from "./terminal.ts";

/** What the person has before them, beside the conversation. */
export interface Desktop {
  editor: Editor;
  overlay: Overlay | null;
  completion: Completion | null;
  hint: string | null;
  thinking: boolean;
}

export interface Shell {
  readonly desktop: Desktop;
  readonly width: number;
  /** Draws soon: what changes at once is drawn at once. */
  changed(): void;
  /** Prints rows above the input. */
  print(lines: readonly Line[]): void;
  /** After another session was opened: nothing of it is printed yet. */
  reset(): void;
  resized(): void;
  /** Before someone else has the terminal. */
  clear(): void;
  close(): void;
}

interface Options {
  readonly terminal: Pick<Terminal, "columns" | "rows" | "write">;
  readonly conversation: () => Conversation;
  readonly history: readonly string[];
  readonly colour: boolean;
}

const SOON_MS = 25;
const TICK_MS = 250;

/** Draws what there is whenever it changes. */
export function createShell({ terminal, conversation, history, colour }: Options): Shell {
  const screen = createScreen(terminal.write);
  const desktop: Desktop = {
    editor: newEditor(history),
    overlay: null,
    completion: null,
    hint: null,
    thinking: false,
  };
  let printed: Printed = NOTHING_PRINTED;
  let extra: Line[] = [];
  let soon: NodeJS.Timeout | undefined;
  let closed = false;
  // What is under way shows how long it has been.
  const tick = setInterval(() => conversation().view.turn !== null && changed(), TICK_MS);

  // The last column stays free: some terminals break the row there.
  const width = (): number => Math.max(16, terminal.columns - 1);

  function draw(): void {
    soon = undefined;
    if (closed) return;
    const { view, session, connection } = conversation();
    const size = { width: width(), height: Math.max(4, terminal.rows) };
    const out = frameOf({ view, session, connection, ...desktop, colour, ...size, now: Date.now() }, printed);
    const painted = (row: Line): string => paint(row, colour);
    const rows: Row[] = out.live.map((row) => ({ painted: painted(row), plain: plainLine(row) }));
    screen.draw([...out.commit, ...extra].map(painted), rows, out.cursor);
    extra = [];
    printed = out.printed;
    conversation().forget(out.done);
  }

  function changed(): void {
    soon ??= setTimeout(draw, SOON_MS);
  }

  return {
    desktop,
    get width() {
      return width();
    },
    changed,
    print(lines) {
      extra.push([], ...lines);
      changed();
    },
    reset() {
      printed = NOTHING_PRINTED;
    },
    resized() {
      screen.resized(terminal.columns);
      changed();
    },
    clear() {
      clearTimeout(soon);
      soon = undefined;
      screen.clear();
    },
    close() {
      if (closed) return;
      clearInterval(tick);
      clearTimeout(soon);
      draw();
      closed = true;
      screen.clear();
    },
  };
}
