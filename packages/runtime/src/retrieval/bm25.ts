/** What is found: a chunk's number and its score. */
export type Hit = readonly [chunk: number, score: number];

/** An inverted index over numbered chunks. */
export interface Bm25 {
  /** Live chunks. */
  readonly size: number;
  /** Gives the chunk its number. `boosted` are terms that count more, such as those of the path. */
  add(terms: readonly string[], boosted: readonly string[]): number;
  drop(chunk: number): void;
  /** All that have one of the terms, best first. Ties by number. */
  search(terms: readonly string[]): readonly Hit[];
  /** Whether so much was dropped that it should be made anew. */
  readonly worn: boolean;
}

const K1 = 1.2;
const B = 0.75;
const BOOST = 2;
const WORN_SHARE = 0.5;
const WORN_LEAST = 2_000;

/**
 * Postings are chunk and frequency in turn, in plain arrays: a dropped chunk stays in them and is passed over, so that
 * dropping costs nothing and no chunk need remember its terms.
 */
export function createBm25(): Bm25 {
  const postings = new Map<string, number[]>();
  /** Terms in each chunk; 0 for those that were dropped. */
  const lengths: number[] = [];
  let live = 0;
  let total = 0;

  return {
    get size() {
      return live;
    },
    get worn() {
      const dead = lengths.length - live;
      return dead > WORN_LEAST && dead > lengths.length * WORN_SHARE;
    },

    add(terms, boosted) {
      const counts = new Map<string, number>();
      // One more than there are: an empty chunk is not a dropped one.
      const length = terms.length + 1;
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const term of boosted) counts.set(term, (counts.get(term) ?? 0) + BOOST);
      const chunk = lengths.push(length) - 1;
      for (const [term, count] of counts) {
        const list = postings.get(term);
        if (list === undefined) postings.set(term, [chunk, count]);
        else list.push(chunk, count);
      }
      live += 1;
      total += length;
      return chunk;
    },

    drop(chunk) {
      const length = lengths[chunk] ?? 0;
      if (length === 0) return;
      lengths[chunk] = 0;
      live -= 1;
      total -= length;
    },

    search(terms) {
      const scores = new Map<number, number>();
      const average = total / Math.max(1, live);
      for (const term of terms) {
        const list = postings.get(term);
        if (list === undefined) continue;
        let df = 0;
        for (let i = 0; i < list.length; i += 2) if (lengths[list[i] as number] !== 0) df += 1;
        const idf = Math.log(1 + (live - df + 0.5) / (df + 0.5));
        for (let i = 0; i < list.length; i += 2) {
          const chunk = list[i] as number;
          const length = lengths[chunk] as number;
          if (length === 0) continue;
          const tf = list[i + 1] as number;
          const score = (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / average));
          scores.set(chunk, (scores.get(chunk) ?? 0) + score);
        }
      }
      return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    },
  };
}
