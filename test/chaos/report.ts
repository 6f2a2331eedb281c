import type { Chaos } from "./chaos.ts";

interface Survived {
  readonly survived: number;
  readonly total: number;
}

export interface ChaosResult extends Survived {
  readonly bench: "chaos";
  readonly scenarios: Readonly<Record<string, Readonly<Record<string, Survived>>>>;
}

export function resultOf(all: readonly Chaos[]): ChaosResult {
  const scenarios: Record<string, Record<string, Survived>> = {};
  for (const { scenario, store, survived, total } of all)
    (scenarios[scenario] ??= {})[store] = { survived, total };
  const sum = (name: keyof Survived) => all.reduce((so_far, one) => so_far + one[name], 0);
  return { bench: "chaos", survived: sum("survived"), total: sum("total"), scenarios };
}

/** A line for each that was not survived: where it was killed, and what does not hold since. */
export function failuresOf({ scenario, store, failures }: Chaos): string {
  return failures
    .map(
      ({ point, problems }) =>
        `  ${scenario} on ${store}, commit ${point.commit}, ${point.moment}: ${problems.join("; ")}\n`,
    )
    .join("");
}
