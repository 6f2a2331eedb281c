/** The key of the row to go to after one of them is gone: the next, else the one before. */
export function nextKey(keys: readonly string[], gone: string): string | null {
  const at = keys.indexOf(gone);
  return keys[at + 1] ?? keys[at - 1] ?? null;
}

/** To a row, or to the page where there is none. Not away from where somebody has gone meanwhile. */
export function focusRow(from: string, to: string | null): void {
  const at = document.activeElement;
  if (at !== null && at !== document.body && rowOf(from)?.contains(at) !== true) return;
  const target = to === null ? null : rowOf(to)?.querySelector("a");
  (target ?? document.getElementById("main"))?.focus();
}

function rowOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
}
