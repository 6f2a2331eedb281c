/** Tokens and the like, short. */
export function count(value: number): string {
  if (value < 10_000) return String(value);
  if (value < 1_000_000) return `${(value / 1_000).toFixed(1)} k`;
  return `${(value / 1_000_000).toFixed(2)} M`;
}

export function money(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd < 1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
