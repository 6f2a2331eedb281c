/** A key as it was pressed. `text`: what it would write. */
export interface Key {
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly text: string;
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export function keyOf(
  text: string | undefined,
  key: { name?: string | undefined; ctrl?: boolean; meta?: boolean; shift?: boolean } = {},
): Key {
  const { name = "", ctrl = false, meta = false, shift = false } = key;
  const writes = !ctrl && !meta && text !== undefined && !CONTROL.test(text);
  return { name, ctrl, alt: meta, shift, text: writes ? text : "" };
}

/** For the help, in the order in which one meets them. */
export const KEY_HELP: readonly (readonly [string, string])[] = [
  ["Enter", "send; while it works: say it to the open turn (steer)"],
  ["Alt-Enter", "for after the open turn (queue)"],
  ["Ctrl-J", "a new line"],
  ["Tab", "complete @file, /command and its values"],
  ["Up, Down", "what was said before"],
  ["Ctrl-C", "cancel the turn; twice: leave"],
  ["Ctrl-T", "show or fold away what the model thinks"],
  ["Ctrl-D", "leave"],
  ["Esc", "put away a list or a question; Tab brings the question back"],
];
