import { AhpError } from "../protocol/errors.ts";

/** The end of one call's patience: its timeout or its caller's signal, whichever comes first. */
export interface Deadline {
  /** Rejects when the deadline passes first. `start` may return how to give up. */
  race<T>(start: Start<T>): Promise<T>;
  /** The work is done: no timer or listener is left. */
  release(): void;
}

type Start<T> = (
  resolve: (value: T) => void,
  reject: (error: AhpError) => void,
) => ((error: AhpError) => void) | void;

export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  let passed: AhpError | undefined;
  let give: ((error: AhpError) => void) | undefined;

  function pass(error: AhpError): void {
    passed ??= error;
    give?.(passed);
  }
  function onAbort(): void {
    pass(new AhpError("aborted", "The caller gave up", { cause: signal?.reason }));
  }

  const timer = setTimeout(() => pass(new AhpError("timeout", `No answer in ${timeoutMs} ms`)), timeoutMs);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });

  return {
    race: (start) =>
      new Promise((resolve, reject) => {
        if (passed !== undefined) return reject(passed);
        let isSettled = false;
        const settle = () => {
          isSettled = true;
          give = undefined;
        };
        const giveUp = start(
          (value) => {
            settle();
            resolve(value);
          },
          (error) => {
            settle();
            reject(error);
          },
        );
        if (isSettled) return;
        give = (error) => {
          settle();
          giveUp?.(error);
          reject(error);
        };
      }),
    release() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
