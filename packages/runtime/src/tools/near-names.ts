const MOST = 3;
const LONGEST = 100;

/** The names most like this one, the nearest first; none when all are quite different. */
export function nearNames(name: string, names: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  const most = Math.max(2, Math.floor(name.length / 3));
  return names
    .filter((other) => other.length <= LONGEST && Math.abs(other.length - name.length) <= most)
    .map((other) => ({ other, edits: distance(wanted, other.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, MOST)
    .map(({ other }) => other);
}

/** How many letters differ, counting insertions, deletions and replacements. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
