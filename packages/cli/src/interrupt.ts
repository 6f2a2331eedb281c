/** npm passes Ctrl-C on to its scripts, which the terminal has told already: two signals for one key. */
const ECHO_MS = 500;

/** A terminal that is closed asks just as well as Ctrl-C. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export interface Interrupt {
  /** Aborts at the first signal. Whoever listens ends what it does in its own time. */
  readonly signal: AbortSignal;
  /** Gives the signals their usual meaning back. */
  release(): void;
}

/** The first signal asks, the second one ends the process at once. */
export function onInterrupt(exit: (code: number) => void = process.exit): Interrupt {
  const asked = new AbortController();
  let first = 0;
  const handlers = Object.entries(EXIT_CODES).map(([name, code]) => {
    const handler = (): void => {
      const now = performance.now();
      if (!asked.signal.aborted) {
        first = now;
        asked.abort(name);
      } else if (now - first > ECHO_MS) exit(code);
    };
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  return {
    signal: asked.signal,
    release() {
      for (const off of handlers) off();
    },
  };
}
