/** What may be used of something that is counted; undefined is not limited. */
export type Amount = number | undefined;

/**
 * Shares what is left among sub-agents that run side by side: who asks for less than an equal part gets what it asks
 * for, and the others share the rest equally. The sum is never more than what is left. `whole`: in whole numbers.
 */
export function share(left: Amount, asked: readonly Amount[], whole: boolean): readonly Amount[] {
  if (left === undefined) return asked;
  const given: Amount[] = asked.map(() => 0);
  const modestFirst = asked
    .map((amount, place) => ({ amount: amount ?? Infinity, place }))
    .toSorted((a, b) => a.amount - b.amount);
  let rest = Math.max(0, left);
  for (const [i, { amount, place }] of modestFirst.entries()) {
    const equal = rest / (modestFirst.length - i);
    const part = Math.min(amount, whole ? Math.floor(equal) : equal);
    given[place] = part;
    rest -= part;
  }
  return given;
}

/** The smallest of those that are limited. */
export function least(...amounts: readonly Amount[]): Amount {
  const limited = amounts.filter((amount) => amount !== undefined);
  return limited.length === 0 ? undefined : Math.min(...limited);
}

/** What is left of a limit. */
export function leftOf(limit: Amount, used: number): Amount {
  return limit === undefined ? undefined : Math.max(0, limit - used);
}
