import type { Task } from "./items.ts";
import { clipped, type Line, line, span, type Style } from "./span.ts";

const SIGNS: Readonly<Record<string, readonly [string, Style | undefined]>> = {
  pending: ["☐", "dim"],
  in_progress: ["▸", "cyan"],
  completed: ["☑", "green"],
  failed: ["✗", "red"],
  skipped: ["–", "dim"],
  cancelled: ["–", "dim"],
};

/** The list, around what is under way where not all of it has room. */
export function taskLines(tasks: readonly Task[], width: number, most: number): Line[] {
  const done = tasks.filter(({ status }) => status === "completed" || status === "skipped").length;
  const head = line(`Tasks ${done}/${tasks.length}`, "bold");
  const current = Math.max(
    0,
    tasks.findIndex(({ status }) => status === "in_progress" || status === "pending"),
  );
  const from = Math.max(0, Math.min(current - 1, tasks.length - most));
  const shown = tasks.slice(from, from + most);
  const hidden = tasks.length - shown.length;
  const more: Line[] = hidden > 0 ? [line(`  … ${hidden} more: /tasks`, "dim")] : [];
  return [head, ...shown.map((task) => clipped(row(task), width)), ...more];
}

function row({ title, status }: Task): Line {
  const [glyph, style] = SIGNS[status] ?? ["·", "dim"];
  const quiet: Style[] = status === "in_progress" ? [] : ["dim"];
  return [span(`  ${glyph} `, ...(style === undefined ? [] : [style])), span(title, ...quiet)];
}
