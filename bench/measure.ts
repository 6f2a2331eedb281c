export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How many a second, of `count` done by `work`. */
export async function rate(count: number, work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (count / (performance.now() - started)) * 1000;
}

export interface Pair {
  readonly ours: number;
  readonly raw: number;
}

/** Ours and the floor in turn, so that a noisy machine disturbs both alike. */
export async function interleaved(
  pairs: number,
  ours: () => Promise<number>,
  raw: () => Promise<number>,
): Promise<readonly Pair[]> {
  const found: Pair[] = [];
  for (let i = 0; i < pairs; i++) {
    const first = i % 2 === 0;
    const a = await (first ? ours() : raw());
    const b = await (first ? raw() : ours());
    found.push(first ? { ours: a, raw: b } : { ours: b, raw: a });
  }
  return found;
}

export function summary(pairs: readonly Pair[]): { ours: number; raw: number; ratio: number } {
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    raw: median(pairs.map((pair) => pair.raw)),
    ratio: median(pairs.map((pair) => pair.ours / pair.raw)),
  };
}

export const round = (value: number, digits = 0): number => Number(value.toFixed(digits));

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  for (const [n, row] of cells.entries()) {
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  "),
    );
    if (n === 0) console.log(widths.map((width) => "-".repeat(width)).join("  "));
  }
}
