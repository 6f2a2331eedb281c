import type { THEMES } from "../lib/theme.ts";

export const THEME_NAMES = {
  system: "As the system",
  light: "Light",
  dark: "Dark",
} as const satisfies Record<(typeof THEMES)[number], string>;
