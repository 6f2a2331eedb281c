import type { ErrorObject } from "ajv";
import type { SchemaFault } from "../types.ts";
import { fault } from "./fault.ts";
import { merged } from "./merged.ts";

/** More are not looked at: they are mended or told together, and no one reads so many. */
const MOST = 50;

/** Faults of a schema from what its validator found: one a place, the plainest there is. */
export function faultsFrom(errors: readonly ErrorObject[]): readonly SchemaFault[] {
  const found = merged(errors.slice(0, 10 * MOST)).map(fault);
  // Where a choice fails nothing counts as named, so that every argument would seem extra.
  const sure = found.filter(({ unsure }) => !unsure);
  const places = new Map<string, SchemaFault>();
  for (const { unsure: _, ...one } of sure.length > 0 ? sure : found) {
    const known = places.get(one.at);
    if (known === undefined || (one.kind === "type" && known.kind !== "type")) places.set(one.at, one);
  }
  return [...places.values()].slice(0, MOST);
}
