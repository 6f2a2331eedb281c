import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Place } from "../support.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const SCREENS = fileURLToPath(new URL("../../../../docs/screens", import.meta.url));
const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/** Undefined: a real terminal can be had. */
export const noTerminal =
  spawnSync("tmux", ["-V"]).status === 0
    ? undefined
    : "tmux is not installed, so there is no terminal to test in";

export interface Pane {
  /** Keys by their names, as tmux has them. */
  press(...keys: readonly string[]): void;
  /** Text as it is, and Enter. */
  say(text: string): void;
  /** All that was printed and what is on the screen, once it has this. */
  until(pattern: RegExp): Promise<string>;
  /** Only what is on the screen. `looks`: with escape sequences. */
  screen(looks?: boolean): string;
  /** What tmux knows of the pane. */
  ask(format: string): string;
  resize(columns: number, rows: number): void;
  /** All that is to be seen once the program has ended, and its exit code. */
  ended(): Promise<{ readonly text: string; readonly code: number }>;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The program in a terminal of its own, in this place. Ended with the test. */
export function openPane(
  place: Place,
  args: readonly string[],
  { columns, rows }: Size,
  env: Record<string, string> = {},
): Pane {
  const socket = join(dirname(place.cwd), `tmux-${Math.random().toString(36).slice(2, 8)}.sock`);
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      cwd: place.cwd,
      // So it is called as people call it, and no path of this machine is in what it says.
      env: { ...place.env, TERM: "xterm-256color", LANG: "C.UTF-8", npm_lifecycle_event: "fairlead", ...env },
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  const term = env["TERM"] === undefined ? [] : ["env", `TERM=${env["TERM"]}`];
  // The shell says how it ended: what tmux knows of a dead pane comes late or not at all.
  const told = '"$@"; echo "(ended with $?)"; exec sleep 600';
  tmux("new-session", "-d", ...size, ...term, "sh", "-c", told, "sh", process.execPath, MAIN, ...args);
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const all = (): string => tmux("capture-pane", "-p", "-S", "-2000");
  const ask = (format: string): string => tmux("display-message", "-p", format).trim();
  const screen = (looks = false): string => tmux("capture-pane", "-p", ...(looks ? ["-e"] : []));
  async function until(pattern: RegExp): Promise<string> {
    for (const start = performance.now(); ;) {
      const text = all();
      if (pattern.test(text)) return text;
      if (performance.now() - start > PATIENCE_MS) throw new Error(`never saw ${pattern} in:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  return {
    press: (...keys) => void tmux("send-keys", ...keys),
    say(text) {
      tmux("send-keys", "-l", text);
      tmux("send-keys", "Enter");
    },
    until,
    screen,
    ask,
    async ended() {
      const text = await until(/\(ended with \d+\)/);
      return { text, code: Number(/\(ended with (\d+)\)/.exec(text)?.[1]) };
    },
    resize: (wide, high) => void tmux("resize-window", "-x", String(wide), "-y", String(high)),
  };
}

/** Keeps a screen for the docs, where that is asked for with FAIRLEAD_SCREENS=1. */
export function keepScreen(name: string, text: string): void {
  if (process.env["FAIRLEAD_SCREENS"] !== "1") return;
  mkdirSync(SCREENS, { recursive: true });
  const rows = text.split("\n").map((row) => row.trimEnd());
  writeFileSync(join(SCREENS, `${name}.txt`), `${rows.join("\n").trim()}\n`);
}
