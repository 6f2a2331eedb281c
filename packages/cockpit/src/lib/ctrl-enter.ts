import type { KeyboardEvent } from "react";

/** Ctrl-Enter, and its like on other keyboards, sends the form from any of its fields, as its button would. */
export function sendOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const button = event.currentTarget.querySelector<HTMLButtonElement>('button[type="submit"]:not(:disabled)');
  if (button !== null) event.currentTarget.requestSubmit(button);
}
