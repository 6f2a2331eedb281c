/** The snapshots in a store that one session has to itself. */
export interface Stock {
  /** What each of these takes beyond those before it. One that is not whole any more is left out. */
  weigh(refs: readonly string[]): AsyncIterable<{ readonly ref: string; readonly bytes: number }>;
  /** Takes away all that none of these needs. */
  sweep(refs: readonly string[]): Promise<void>;
}

/** As many of these, in this order, as come to so many bytes; the first one in any case. */
export async function fittingOf(
  stock: Stock,
  refs: readonly string[],
  bytes: number,
): Promise<readonly string[]> {
  const fitting: string[] = [];
  let total = 0;
  for await (const { ref, bytes: more } of stock.weigh(refs)) {
    total += more;
    if (total > bytes && fitting.length > 0) break;
    fitting.push(ref);
  }
  return fitting;
}
