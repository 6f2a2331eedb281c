import type { AnyEvent } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";

/** The rows that an event changes. Empty for most. */
export type Projected = readonly { readonly projection: Projection; readonly key: string }[];

/** Which projections look at which events. */
export interface Projections {
  watch(type: string): boolean;
  of(event: AnyEvent): Projected;
}

const NONE: Projected = [];

export function indexProjections(projections: readonly Projection[]): Projections {
  const byType = Map.groupBy(
    projections.flatMap((projection) => projection.types.map((type) => ({ type, projection }))),
    ({ type }) => type,
  );
  return {
    watch: (type) => byType.has(type),
    of: (event) =>
      byType.get(event.type)?.flatMap(({ projection }) => {
        const key = projection.key(event);
        return key === null ? [] : [{ projection, key }];
      }) ?? NONE,
  };
}
