import { createStore, type MutableStore } from "../lib/store.ts";

type Over = "palette" | "help" | "menu" | null;

const store = createStore<Over>(null);
let from: Element | null = null;

/** What lies over the page: one at a time. */
export const overlay: MutableStore<Over> = {
  ...store,
  set(next) {
    const at = document.activeElement;
    // From one to the next the focus is in a dialog that goes away.
    if (next !== null && at?.closest("dialog") === null) from = at;
    store.set(next);
  },
};

export function openPalette(): void {
  overlay.set("palette");
}

export function closeOverlay(): void {
  overlay.set(null);
}

/** To where it was before something lay over the page; where that is gone, to the page. */
export function giveFocusBack(): void {
  const to = from?.isConnected === true ? from : document.getElementById("main");
  from = null;
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
}
