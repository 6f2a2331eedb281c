import { completed, completionAt } from "./complete.ts";
import { edited, newEditor } from "./editor.ts";
import type { Key } from "./keys.ts";
import { listening, pickKey } from "./overlay.ts";
import type { Desktop } from "./shell.ts";

/** What keys can ask for. */
export interface Commands {
  send(text: string): void;
  queue(text: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  leave(): void;
  toggleThinking(): void;
  help(): void;
  suspend(): void;
  files(): readonly string[];
}

/** One key: to what is asked, else to the input. Changes the desktop. */
export function pressed(desktop: Desktop, key: Key, commands: Commands): void {
  const { overlay, editor } = desktop;
  desktop.hint = null;
  if (overlay?.kind === "pick") {
    const next = pickKey(overlay, key);
    if (desktop.overlay === overlay) desktop.overlay = next;
    return;
  }
  if (overlay?.kind === "key" && listening(overlay, editor)) {
    if (key.name === "escape") desktop.overlay = { ...overlay, away: true };
    else if (overlay.question.keys.some(([name]) => name === key.text)) return overlay.done(key.text);
    if (key.name === "escape") return;
  }
  if (overlay?.kind === "key" && overlay.away && editor.text === "" && key.name === "tab") {
    desktop.overlay = { ...overlay, away: false };
    return;
  }
  if (overlay?.kind === "ask") {
    if (key.name === "escape" || (key.ctrl && key.name === "c")) return overlay.done(undefined);
    if (key.name === "return") return overlay.done(editor.text);
    desktop.editor = edited(editor, key) ?? editor;
    return;
  }
  input(desktop, key, commands);
}

function input(desktop: Desktop, key: Key, commands: Commands): void {
  const { editor } = desktop;
  if (key.name === "tab") return complete(desktop, key.shift ? -1 : 1, commands.files());
  desktop.completion = null;
  if (key.ctrl && Object.hasOwn(CONTROLS, key.name)) return CONTROLS[key.name]?.(desktop, commands);
  if (key.name === "return") return send(desktop, key.alt, commands);
  if (key.text === "?" && editor.text === "") return commands.help();
  desktop.editor = edited(editor, key) ?? editor;
}

const CONTROLS: Readonly<Record<string, (desktop: Desktop, commands: Commands) => void>> = {
  c: (_, commands) => commands.interrupt(),
  d: ({ editor }, commands) => {
    if (editor.text === "") commands.leave();
  },
  t: (_, commands) => commands.toggleThinking(),
  z: (_, commands) => commands.suspend(),
};

function send(desktop: Desktop, queue: boolean, commands: Commands): void {
  const { history } = desktop.editor;
  const text = desktop.editor.text.trimEnd();
  if (text === "") return;
  if (text.endsWith("\\") && !queue) {
    desktop.editor = newEditor(history, `${text.slice(0, -1)}\n`);
    return;
  }
  const kept = history.at(-1) === text ? history : [...history, text];
  desktop.editor = newEditor(kept);
  if (queue) commands.queue(text);
  else commands.send(text);
}

/** The first Tab takes the best, further ones go through the others. */
function complete(desktop: Desktop, by: number, files: readonly string[]): void {
  const { editor, completion } = desktop;
  const base =
    completion === null
      ? completionAt(editor.text, editor.cursor, files)
      : {
          ...completion,
          index: (completion.index + by + completion.options.length) % completion.options.length,
        };
  if (base === undefined) return;
  const next = completed(editor.text, { ...base, end: editor.cursor });
  desktop.editor = { ...editor, ...next };
  desktop.completion = base;
}
