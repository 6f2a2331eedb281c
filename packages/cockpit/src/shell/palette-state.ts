import { createStore } from "../lib/store.ts";

export const paletteOpen = createStore(false);

export function openPalette(): void {
  paletteOpen.set(true);
}
