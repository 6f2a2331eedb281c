import { createStore } from "../lib/store.ts";

/** What lies over the page: one at a time. */
export const overlay = createStore<"palette" | "help" | "menu" | null>(null);

export function openPalette(): void {
  overlay.set("palette");
}

export function closeOverlay(): void {
  overlay.set(null);
}
