import { setTimeout as wait } from "node:timers/promises";
import { SYSTEM_STREAM } from "@fairlead/contract";
import type { EventLog } from "../../ports/event-log.ts";

const RETRY_MS = 1_000;

/**
 * Calls back when a token was revoked, also by another process, and whenever one may have been
 * without our seeing it. Resolves when the signal aborts or the log closes; never rejects.
 */
export async function watchRevocations(
  log: EventLog,
  signal: AbortSignal,
  onRevoked: () => unknown,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const after = (await log.stream(SYSTEM_STREAM))?.head_seq ?? 0;
      onRevoked();
      for await (const batch of log.subscribe(SYSTEM_STREAM, { after, signal })) {
        if (batch.some(({ type }) => type === "runtime.token.revoked")) onRevoked();
      }
      return;
    } catch {
      // The store is away, or nobody has written to this stream yet.
      await wait(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
