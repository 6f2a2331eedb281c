import type { Key } from "./keys.ts";
import { charactersOf } from "./width.ts";

/** What is being written, and where. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  /** The oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown; its length when none is. */
  readonly at: number;
  /** What was written before going back. */
  readonly draft: string;
}

export function newEditor(history: readonly string[] = [], text = ""): Editor {
  return { text, cursor: text.length, history, at: history.length, draft: "" };
}

export function typed(editor: Editor, text: string): Editor {
  const { cursor } = editor;
  return {
    ...editor,
    text: editor.text.slice(0, cursor) + text + editor.text.slice(cursor),
    cursor: cursor + text.length,
  };
}

/** After a key that edits; undefined for one that does not. */
export function edited(editor: Editor, key: Key): Editor | undefined {
  if (key.text !== "") return typed(editor, key.text);
  const name = `${key.ctrl ? "ctrl-" : ""}${key.alt ? "alt-" : ""}${key.name}`;
  return Object.hasOwn(KEYS, name) ? KEYS[name]?.(editor) : undefined;
}

type Change = (editor: Editor) => Editor;

const KEYS: Readonly<Record<string, Change>> = {
  left: (editor) => ({ ...editor, cursor: before(editor) }),
  right: (editor) => ({ ...editor, cursor: after(editor) }),
  "ctrl-b": (editor) => ({ ...editor, cursor: before(editor) }),
  "ctrl-f": (editor) => ({ ...editor, cursor: after(editor) }),
  "alt-b": (editor) => ({ ...editor, cursor: wordBefore(editor) }),
  "alt-f": (editor) => ({ ...editor, cursor: wordAfter(editor) }),
  "ctrl-left": (editor) => ({ ...editor, cursor: wordBefore(editor) }),
  "ctrl-right": (editor) => ({ ...editor, cursor: wordAfter(editor) }),
  home: (editor) => ({ ...editor, cursor: lineStart(editor) }),
  end: (editor) => ({ ...editor, cursor: lineEnd(editor) }),
  "ctrl-a": (editor) => ({ ...editor, cursor: lineStart(editor) }),
  "ctrl-e": (editor) => ({ ...editor, cursor: lineEnd(editor) }),
  backspace: (editor) => without(editor, before(editor), editor.cursor),
  "ctrl-h": (editor) => without(editor, before(editor), editor.cursor),
  delete: (editor) => without(editor, editor.cursor, after(editor)),
  "ctrl-w": (editor) => without(editor, wordBefore(editor), editor.cursor),
  "alt-backspace": (editor) => without(editor, wordBefore(editor), editor.cursor),
  "ctrl-u": (editor) => without(editor, lineStart(editor), editor.cursor),
  "ctrl-k": (editor) => without(editor, editor.cursor, lineEnd(editor)),
  enter: (editor) => typed(editor, "\n"),
  "ctrl-j": (editor) => typed(editor, "\n"),
  up: (editor) =>
    lineStart(editor) === 0 ? recalled(editor, -1) : { ...editor, cursor: lineStart(editor) - 1 },
  down(editor) {
    const end = lineEnd(editor);
    return end === editor.text.length ? recalled(editor, 1) : { ...editor, cursor: end + 1 };
  },
};

function before({ text, cursor }: Editor): number {
  return cursor - (charactersOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: Editor): number {
  return cursor + (charactersOf(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore({ text, cursor }: Editor): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

function wordAfter({ text, cursor }: Editor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}

function lineStart({ text, cursor }: Editor): number {
  return text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

function without(editor: Editor, from: number, to: number): Editor {
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from };
}

function recalled(editor: Editor, by: number): Editor {
  const { history } = editor;
  const at = Math.max(0, Math.min(history.length, editor.at + by));
  if (at === editor.at) return editor;
  const draft = editor.at === history.length ? editor.text : editor.draft;
  const text = at === history.length ? draft : (history[at] ?? "");
  return { ...editor, at, draft, text, cursor: text.length };
}
