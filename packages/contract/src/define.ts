import type { z } from "zod";

/** Who vouches for an event (seed 003): the runtime's own facts, an agent's signals, or a derived view. */
export const OWNERS = ["runtime", "agent", "view"] as const;
export type Owner = (typeof OWNERS)[number];

export const CATEGORIES = ["signal", "fact", "view"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `default` is what an operator sees without asking; `debug` is behind the toggle. */
export const TIERS = ["default", "debug"] as const;
export type Tier = (typeof TIERS)[number];

/** The name an event has on each face; null says that the face deliberately has no name for it. */
export interface FaceNames {
  /** seed 000's `type`. */
  readonly frontend: string | null;
  /** seed 003's event type, or for `agent.*` its payload phase inside `runtime.adapter.event`. */
  readonly runtime: string | null;
}

export interface EventDef<S extends z.ZodType = z.ZodType, F extends FaceNames = FaceNames> {
  readonly v: number;
  readonly owner: Owner;
  readonly category: Category;
  readonly tier: Tier;
  /** False for what is told to one reader and never appended. */
  readonly persisted: boolean;
  readonly faces: F;
  readonly doc: string;
  readonly data: S;
}

/** Declares one entry of the catalogue. Keeps the literal face names, so that a map over them can be total. */
export function event<S extends z.ZodType, const F extends FaceNames>(def: EventDef<S, F>): EventDef<S, F> {
  return def;
}
