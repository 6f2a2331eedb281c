import { createStore } from "./store.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "fairlead.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export const theme = createStore<Theme>(saved());

function saved(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((one) => one === value) ?? "system";
}

function apply(): void {
  const chosen = theme.get();
  document.documentElement.dataset["theme"] =
    chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
}

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
  apply();
}

/** Before anything is drawn, so that nothing flashes. */
export function startTheme(): void {
  dark.addEventListener("change", apply);
  apply();
}
