import { useEffect, useRef } from "react";
import { lettersOff } from "../state/settings.ts";

export type Keys = Readonly<Record<string, () => void>>;

/** Whether a letter belongs to a text that somebody writes. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

const MOVES: ReadonlySet<string> = new Set(["j", "k"]);

/** Single letters that do something while nobody writes, no dialog is open, and they are not turned off. Never Enter: it is the focused control's own. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (lettersOff.get()) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(event.target) || document.querySelector("dialog[open]") !== null) return;
      if (!Object.hasOwn(latest.current, event.key)) return;
      // A key that is held down moves on, and decides nothing.
      if (event.repeat && !MOVES.has(event.key)) return;
      event.preventDefault();
      latest.current[event.key]?.();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
