import { emitKeypressEvents } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import { type Key, keyOf } from "./keys.ts";

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Gives the terminal to someone else, and takes it back. */
  lend<T>(use: () => T): T;
  close(): void;
}

interface Listeners {
  key(key: Key): void;
  /** Pasted as one: line breaks in it do not send. */
  paste(text: string): void;
  resize(): void;
  /** It was lent, or the process was stopped and goes on. */
  back(): void;
}

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
const FALLBACK = { columns: 80, rows: 24 };

/** A terminal in raw mode. `close` leaves it as it was found, however often it is called. */
export function openTerminal(stdin: ReadStream, stdout: WriteStream, to: Listeners): Terminal {
  let pasted: string | null = null;
  let open = true;

  function onKeypress(
    text: string | undefined,
    raw: { name?: string; ctrl?: boolean; sequence?: string },
  ): void {
    if (raw.name === "paste-start") pasted = "";
    else if (raw.name === "paste-end") {
      const whole = pasted ?? "";
      pasted = null;
      to.paste(whole.replaceAll(/\r\n?/g, "\n"));
    } else if (pasted !== null) pasted += text ?? raw.sequence ?? "";
    else to.key(keyOf(text, raw));
  }

  function take(): void {
    stdin.setRawMode(true);
    stdin.resume();
    stdout.write(PASTE_ON);
  }

  function give(): void {
    stdout.write(PASTE_OFF);
    stdin.setRawMode(false);
  }

  const onContinue = (): void => {
    take();
    to.back();
  };
  emitKeypressEvents(stdin);
  stdin.on("keypress", onKeypress);
  stdout.on("resize", to.resize);
  process.on("SIGCONT", onContinue);
  take();

  return {
    get columns() {
      return stdout.columns || FALLBACK.columns;
    },
    get rows() {
      return stdout.rows || FALLBACK.rows;
    },
    write: (text) => void stdout.write(text),
    lend(use) {
      give();
      stdin.pause();
      try {
        return use();
      } finally {
        take();
        to.back();
      }
    },
    close() {
      if (!open) return;
      open = false;
      stdin.off("keypress", onKeypress);
      stdout.off("resize", to.resize);
      process.off("SIGCONT", onContinue);
      give();
      stdin.pause();
    },
  };
}
