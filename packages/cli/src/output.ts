import { tell } from "./failure.ts";
import type { Environment } from "./host.ts";
import { printable } from "./text.ts";

/** Where a command speaks. Results go to standard output, all else to standard error. */
export interface Output {
  readonly json: boolean;
  /** A person is watching standard output. */
  readonly live: boolean;
  readonly columns: number;
  /** Text as it is, with no line of its own: make it `printable` first. Resolves when the reader keeps up. */
  text(text: string): Promise<void>;
  line(text: string): Promise<void>;
  /** One JSON value, on a line of its own. */
  value(value: unknown): Promise<void>;
  /** Beside the result: for people only, never in JSON. */
  note(text: string): void;
  /** What is going on, on one line that is written over. Only where a person is watching. */
  progress(text: string | null): void;
  /** `help`: where the command says what it takes. */
  error(error: unknown, help?: string): void;
  dim(text: string): string;
  bold(text: string): string;
  paint(colour: Colour, text: string): string;
}

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof CODES;

/** A terminal, or whatever stands in for one. */
interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
}

export function createOutput(
  { stdout, stderr }: Io,
  env: Environment,
  json: boolean,
  self = "fairlead",
): Output {
  const plain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb" || json;
  // Both, because notes on standard error are dimmed too.
  const colour = !plain && stdout.isTTY === true && stderr.isTTY === true;
  const style = (code: number, text: string): string =>
    colour && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  let progressing = false;

  async function write(text: string): Promise<void> {
    clearProgress();
    if (!stdout.write(text)) await drained(stdout);
  }

  function clearProgress(): void {
    if (progressing) stderr.write("\r\u001b[K");
    progressing = false;
  }

  return {
    json,
    live: stdout.isTTY === true && !json,
    columns: stdout.columns || 240,
    text: write,
    line: (text) => write(`${text}\n`),
    value: (value) => write(`${JSON.stringify(value)}\n`),
    note(text) {
      if (json) return;
      clearProgress();
      stderr.write(`${style(2, text)}\n`);
    },
    progress(text) {
      if (json || !stderr.isTTY) return;
      clearProgress();
      if (text === null) return;
      stderr.write(text.slice(0, (stderr.columns ?? 80) - 1));
      progressing = true;
    },
    error(error, help) {
      clearProgress();
      const told = tell(error, { self, help });
      if (json) stderr.write(`${JSON.stringify(told)}\n`);
      else
        stderr.write(
          `${style(31, "error")} ${printable(told.message)} ${style(2, `(${told.code})`)}\n${told.hint === "" ? "" : `  ${told.hint}\n`}`,
        );
      if (env["FAIRLEAD_DEBUG"] && error instanceof Error) stderr.write(`${error.stack}\n`);
    },
    dim: (text) => style(2, text),
    bold: (text) => style(1, text),
    paint: (name, text) => style(CODES[name], text),
  };
}

/** Resolves when the sink takes more, or nobody reads it any longer. */
function drained(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off("drain", done);
      sink.off("close", done);
      resolve();
    };
    sink.once("drain", done);
    sink.once("close", done);
  });
}
