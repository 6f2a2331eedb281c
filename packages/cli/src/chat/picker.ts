import type { Key } from "./keys.ts";
import { clipped, type Line, line, span } from "./span.ts";

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  /** Beside the label, and searched too. */
  readonly about?: string;
}

/** A list to choose from by arrows or by typing. */
export interface Picker<T> {
  readonly title: string;
  readonly options: readonly Option<T>[];
  readonly filter: string;
  readonly index: number;
}

export function newPicker<T>(title: string, options: readonly Option<T>[]): Picker<T> {
  return { title, options, filter: "", index: 0 };
}

export function offered<T>({ options, filter }: Picker<T>): readonly Option<T>[] {
  const words = filter.toLowerCase().split(/\s+/);
  return options.filter(({ label, about = "" }) => {
    const text = `${label} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** After a key. Enter and Esc are the caller's. */
export function picked<T>(picker: Picker<T>, { name, text }: Key): Picker<T> {
  const most = Math.max(0, offered(picker).length - 1);
  if (name === "up") return { ...picker, index: Math.max(0, picker.index - 1) };
  if (name === "down" || name === "tab") return { ...picker, index: Math.min(most, picker.index + 1) };
  if (name === "backspace") return { ...picker, filter: picker.filter.slice(0, -1), index: 0 };
  return text === "" ? picker : { ...picker, filter: picker.filter + text, index: 0 };
}

export function chosen<T>(picker: Picker<T>): Option<T> | undefined {
  return offered(picker)[picker.index];
}

export function pickerLines<T>(picker: Picker<T>, width: number, most: number): Line[] {
  const all = offered(picker);
  const room = Math.max(1, most - 2);
  const from = Math.max(0, Math.min(picker.index - Math.floor(room / 2), all.length - room));
  const rows = all.slice(from, from + room).map((option, i) => {
    const here = i + from === picker.index;
    const about = option.about === undefined ? [] : [span(`  ${option.about}`, "dim")];
    return clipped(
      [span(here ? "❯ " : "  ", "cyan"), span(option.label, ...(here ? (["bold"] as const) : [])), ...about],
      width,
    );
  });
  const filter = picker.filter === "" ? "" : ` · “${picker.filter}”`;
  const title: Line = [span(picker.title, "bold"), span(`${filter} · ${all.length}`, "dim")];
  const keys = line(
    width < 60 ? "↑↓ Enter Esc" : "↑↓ choose · Enter takes · type to search · Esc back",
    "dim",
  );
  return [clipped(title, width), ...(rows.length === 0 ? [line("  nothing fits", "dim")] : rows), keys];
}
