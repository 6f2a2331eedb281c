/** Whether Ctrl-C leaves: it does so only as long as that was said and nothing else was pressed since. */
export interface LeaveKey {
  /** Ctrl-C was pressed: whether it leaves. From then on another one does. */
  pressed(): boolean;
  /** What the last one asked for is done, so that it is not said any more. Somebody may be about to press it again. */
  done(): void;
  /** Anything else was pressed or pasted. */
  other(): void;
}

const AGAIN_MS = 2_000;

/** `now`: milliseconds that only grow. */
export function createLeaveKey(now: () => number): LeaveKey {
  let at = -Infinity;
  let until = -Infinity;
  return {
    pressed() {
      const leaves = now() < until;
      at = now();
      until = Infinity;
      return leaves;
    },
    done() {
      until = Math.min(until, at + AGAIN_MS);
    },
    other() {
      until = -Infinity;
    },
  };
}
