import { useCallback, useEffect, useRef, useState } from "react";
import { type Problem, problemOf } from "./api.ts";
import { type Asking, asking } from "./asking.ts";

export interface Asked<T> {
  /** The last answer, with what it is of: while something else is asked for, what was there before. */
  readonly found: { readonly of: string; readonly value: T } | null;
  /** Why the last try has none. What passes by itself is asked again by itself. */
  readonly problem: Problem | null;
  readonly busy: boolean;
  /** Asks again at once. */
  readonly again: () => void;
}

const NOTHING = { found: null, problem: null, busy: true };

/**
 * What the server says, asked for until it has answered, and again when `moved` changes. `of` names what is asked for;
 * null asks nothing yet. `ask` must heed its signal.
 */
export function useAsked<T>(
  of: string | null,
  moved: unknown,
  ask: (signal: AbortSignal) => Promise<T>,
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, "again">>(NOTHING);
  const latest = useRef(ask);
  const asker = useRef<Asking | null>(null);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    if (of === null) return;
    setState(({ found }) => ({ ...NOTHING, found }));
    const own = asking<T>((signal) => latest.current(signal), {
      asks: () => setState((before) => ({ ...before, busy: true })),
      found: (value) => setState({ found: { of, value }, problem: null, busy: false }),
      failed: (error) => setState(({ found }) => ({ found, problem: problemOf(error), busy: false })),
    });
    asker.current = own;
    const now = (): void => own.look(true);
    addEventListener("online", now);
    now();
    return () => {
      removeEventListener("online", now);
      own.stop();
    };
  }, [of]);
  useEffect(() => asker.current?.look(), [moved]);
  return { ...state, again: useCallback(() => asker.current?.look(true), []) };
}
