import { isFinal } from "./patiently.ts";

/** What one press sends. The key names it: sent again after a cut, it still happens once. */
export type Work = (key: string) => Promise<unknown>;

/** Work that leads to another page: nothing more is sent from this one. */
export const LEFT = Symbol("left");

/** The second press of a double click is none. */
const DOUBLE_MS = 500;

export interface Acts {
  /**
   * Does it, unless one is under way. `what` says which it is, so that a second try is known as that. False: what is
   * under way goes on, or has led elsewhere. Rejects as the work does.
   */
  run(what: unknown, work: Work): Promise<boolean>;
}

/**
 * One press, one act.
 *
 * 1. While one is under way, and for the time of a double click after it, nothing else is sent.
 * 2. What may have arrived is sent again under its own key; what was done or refused for good is over.
 */
export function createActs(
  newKey: () => string,
  rest: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, DOUBLE_MS)),
): Acts {
  let busy = false;
  let open: { readonly name: string; readonly key: string } | null = null;
  return {
    async run(what, work) {
      if (busy) return false;
      busy = true;
      const name = JSON.stringify(what);
      if (open?.name !== name) open = { name, key: newKey() };
      try {
        const done = await work(open.key);
        open = null;
        if (done === LEFT) return false;
        await rest();
      } catch (error) {
        if (isFinal(error)) open = null;
        busy = false;
        throw error;
      }
      busy = false;
      return true;
    },
  };
}
