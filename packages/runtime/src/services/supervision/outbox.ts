import type { AhpEvent } from "@fairlead/ahp";
import type { Timers } from "../../ports/timers.ts";

/** Notifications that never reached their supervisor, since the last time this was said. */
export interface Dropped {
  readonly count: number;
  /** Why the last of them was dropped. */
  readonly reason: string;
}

/** Sends notifications one after the other, in order, without keeping anybody waiting. */
export interface Outbox {
  /** Never throws. Sent at once when nothing waits before it. */
  put(event: AhpEvent): void;
  /** Counts one that is not even tried. */
  drop(reason: string): void;
  /** Takes no more, and waits a moment for what is on its way. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  readonly send: (event: AhpEvent, signal: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  /** For one of them. */
  readonly timeoutMs: number;
  /** How many may wait; beyond, the oldest is dropped, because the newest says how things are. */
  readonly most?: number;
  /** Told now and then, not of each. Must not throw. */
  readonly dropped: (dropped: Dropped) => void;
}

const MOST = 1_024;
/** Losses within this time are told together. */
const TELL_MS = 1_000;
const LAST_WAIT_MS = 1_000;

export function createOutbox({ send, timers, timeoutMs, most = MOST, dropped }: OutboxOptions): Outbox {
  const waiting: AhpEvent[] = [];
  let sending: Promise<void> | undefined;
  let isClosed = false;
  let lost = 0;
  let why = "";

  function drop(reason: string): void {
    why = reason;
    lost += 1;
    if (lost === 1) timers.after(TELL_MS, tell);
  }

  function tell(): void {
    const count = lost;
    lost = 0;
    dropped({ count, reason: why });
  }

  async function deliver(event: AhpEvent): Promise<void> {
    const gaveUp = new AbortController();
    const late = Promise.withResolvers<never>();
    const callOff = timers.after(timeoutMs, () => {
      late.reject(new Error(`Not taken within ${timeoutMs} ms.`));
      gaveUp.abort();
    });
    try {
      const sent = send(event, gaveUp.signal);
      // It may fail after it was given up; that is known already.
      sent.catch(() => {});
      await Promise.race([sent, late.promise]);
    } catch (error) {
      drop(error instanceof Error ? error.message : String(error));
    } finally {
      callOff();
    }
  }

  async function pump(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deliver(next);
    sending = undefined;
  }

  return {
    drop,
    put(event) {
      if (isClosed) return drop("The supervisor is closed.");
      if (waiting.length >= most) {
        waiting.shift();
        drop(`More than ${most} notifications wait.`);
      }
      waiting.push(event);
      sending ??= pump();
    },
    async close() {
      isClosed = true;
      if (sending === undefined) return;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const callOff = timers.after(LAST_WAIT_MS, resolve);
      await Promise.race([sending, late]);
      callOff();
      waiting.length = 0;
    },
  };
}
