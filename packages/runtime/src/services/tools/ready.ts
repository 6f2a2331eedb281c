import type { Timers } from "../../ports/timers.ts";
import type { ToolSource } from "../../ports/tool.ts";

/** Waits for sources together. One that took too long is not waited for again until it has come to an end. */
export function whenReady(
  sources: readonly ToolSource[],
  timers: Timers,
  longestMs: number,
): (signal?: AbortSignal) => Promise<void> {
  const pending = new Map<ToolSource, Promise<void>>();
  const late = new Set<ToolSource>();

  function reach(source: ToolSource): Promise<void> | undefined {
    if (source.ready === undefined || late.has(source)) return undefined;
    const before = pending.get(source);
    if (before !== undefined) return before;
    const over = () => {
      pending.delete(source);
      late.delete(source);
    };
    const reaching = ask(source).then(over, over);
    pending.set(source, reaching);
    return reaching;
  }

  /** Also one that throws before there is a promise. */
  async function ask(source: ToolSource): Promise<void> {
    await source.ready?.();
  }

  return async (signal) => {
    const waits = sources.flatMap((source) => reach(source) ?? []);
    if (waits.length === 0 || signal?.aborted === true) return;
    const given = Promise.withResolvers<void>();
    const cancel = () => given.resolve();
    const off = timers.after(longestMs, () => {
      for (const source of pending.keys()) late.add(source);
      given.resolve();
    });
    signal?.addEventListener("abort", cancel, { once: true });
    await Promise.race([Promise.all(waits), given.promise]);
    off();
    signal?.removeEventListener("abort", cancel);
  };
}
