import type { Editor } from "./editor.ts";
import { chosen, offered, picked, type Picker, pickerLines } from "./picker.ts";
import type { Key } from "./keys.ts";
import { clipped, type Line, line, lineWidth, type Span, span } from "./span.ts";
import type { Question } from "./ui.ts";

/** What stands over the input until it is answered. */
export type Overlay =
  | { readonly kind: "ask"; readonly label: string; readonly done: (text: string | undefined) => void }
  | { readonly kind: "pick"; readonly picker: Picker<unknown>; readonly done: (value: unknown) => void }
  | {
      readonly kind: "key";
      readonly question: Question;
      /** False for a moment after it appears: whoever is typing must not decide by accident. */
      readonly ready: boolean;
      /** Put away: keys are for the input. */
      readonly away: boolean;
      readonly done: (key: string | undefined) => void;
    };

/** What a key does to a list that is open. `null`: it is closed. */
export function pickKey(
  overlay: Extract<Overlay, { kind: "pick" }>,
  key: Key,
): Extract<Overlay, { kind: "pick" }> | null {
  const { picker, done } = overlay;
  if (key.name === "escape" || (key.ctrl && key.name === "c")) {
    done(undefined);
    return null;
  }
  if (key.name !== "return") return { ...overlay, picker: picked(picker, key) };
  if (offered(picker).length === 0) return overlay;
  done(chosen(picker)?.value);
  return null;
}

/** Whether keys answer the question: not while something is being written. */
export function listening(overlay: Overlay | null, { text }: Editor): boolean {
  return overlay?.kind === "key" && overlay.ready && !overlay.away && text === "";
}

export function overlayLines(overlay: Overlay | null, editor: Editor, width: number, most: number): Line[] {
  if (overlay === null) return [];
  if (overlay.kind === "pick") return pickerLines(overlay.picker, width, most);
  if (overlay.kind === "ask")
    return [clipped([span(overlay.label, "bold"), span("  Esc goes back", "dim")], width)];
  const { question, ready } = overlay;
  const title = span(`${question.title} `, "bold", "yellow");
  if (!ready) return [clipped([title, span("…", "dim")], width)];
  if (!listening(overlay, editor))
    return [
      clipped(
        [title, span(editor.text === "" ? "Tab: decide" : "waits until you have written", "dim")],
        width,
      ),
    ];
  return keyRows(title, question.keys, width);
}

/** Keys side by side, in as many rows as they need. */
function keyRows(title: Span, keys: Question["keys"], width: number): Line[] {
  const rows: Span[][] = [[title]];
  for (const [key, about] of keys) {
    const pair = [span(` ${key}`, "bold", "cyan"), span(` ${about} `, "dim")];
    const row = rows.at(-1) ?? [];
    if (lineWidth([...row, ...pair]) > width) rows.push(pair);
    else row.push(...pair);
  }
  return rows;
}

export function waitingLines(
  waiting: readonly { readonly mode: string; readonly text: string }[],
  width: number,
): Line[] {
  return waiting.map(({ mode, text }) =>
    clipped(line(`${mode === "steer" ? "↪ it hears next" : "⧗ queued"}: ${text}`, "dim"), width),
  );
}
