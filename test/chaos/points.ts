/**
 * Where a process is killed: with the n-th commit that it makes. Events of one commit become durable together, so
 * between them is no place to die in. `unheard`: the commit is there, and whoever made it has not been told.
 * `acted`: it was told and went on, up to where it would commit again, or had nothing more to do.
 */
export interface Point {
  readonly commit: number;
  readonly moment: "unheard" | "acted";
}

export const MOMENTS = ["unheard", "acted"] as const;

export function allPoints(commits: number): readonly Point[] {
  return Array.from({ length: commits }, (_, i) =>
    MOMENTS.map((moment) => ({ commit: i + 1, moment })),
  ).flat();
}

/** So many of them, the same for the same seed, in their order. */
export function samplePoints(points: readonly Point[], count: number, seed: number): readonly Point[] {
  const random = mulberry(seed);
  const ranked = points.map((point) => ({ point, rank: random() }));
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ point }) => point),
  );
  return points.filter((point) => chosen.has(point));
}

/** Numbers in [0, 1) that look random and follow from the seed. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
