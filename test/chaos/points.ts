import { createChance } from "../cluster/chance.ts";

/**
 * Where a process is killed: with the n-th commit that it makes. Events of one commit become durable together, so
 * between them is no place to die in. `unheard`: the commit is there, and whoever made it has not been told.
 * `acted`: it was told and went on, up to where it would commit again, or had nothing more to do.
 */
export interface Point {
  readonly commit: number;
  readonly moment: "unheard" | "acted";
}

const MOMENTS = ["unheard", "acted"] as const;

/** Commits that one who goes on makes in any case, nearly always. */
const SOON = 4;

export function allPoints(commits: number): readonly Point[] {
  return Array.from({ length: commits }, (_, i) =>
    MOMENTS.map((moment) => ({ commit: i + 1, moment })),
  ).flat();
}

/** Where one that goes on is killed: in one of its first commits, another for each number. */
export function pointOnTheWay(number: number): Point {
  return allPoints(SOON)[number % (SOON * MOMENTS.length)] as Point;
}

/** So many of them, the same for the same seed, in their order. */
export function samplePoints(points: readonly Point[], count: number, seed: number): readonly Point[] {
  const { next } = createChance(seed);
  const ranked = points.map((point) => ({ point, rank: next() }));
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ point }) => point),
  );
  return points.filter((point) => chosen.has(point));
}
