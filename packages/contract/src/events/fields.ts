import { z } from "zod";
import type { EventDef, FaceNames } from "../define.ts";
import { event } from "../define.ts";

// Shared field schemas. All are cheap: the log runs them on every append.

export const text = z.string();
/** A number that counts something: whole, never negative. */
export const count = z.int().min(0);
/** ISO 8601 in UTC. The pattern is left to the writer's clock: a regular expression here costs more than the rest. */
export const time = z.string();
/** Any JSON value. The key must be there. */
export const json = z.unknown();
export const jsonObject = z.looseObject({});
export const texts = z.array(z.string());

type Open = Pick<EventDef, "tier" | "doc">;

/** A fact that the runtime owns: durable, and its fields are closed. */
export function fact<S extends z.ZodRawShape, const F extends FaceNames>(
  def: Open & { faces: F; fields: S },
) {
  const { fields, ...rest } = def;
  return event({
    ...rest,
    v: 1,
    owner: "runtime",
    category: "fact",
    persisted: true,
    data: z.strictObject(fields),
  });
}

/** A signal of whoever executes: durable, and its fields are open, because a foreign executor may say more. */
export function signal<S extends z.ZodRawShape, const F extends FaceNames>(
  def: Open & { faces: F; fields: S },
) {
  const { fields, ...rest } = def;
  return event({
    ...rest,
    v: 1,
    owner: "agent",
    category: "signal",
    persisted: true,
    data: z.looseObject(fields),
  });
}

/** A fact that only seed 003 names, under the same name as the log. */
export function runtimeFact<const N extends string, S extends z.ZodRawShape>(
  name: N,
  doc: string,
  fields: S,
) {
  return fact({ tier: "debug", faces: { frontend: null, runtime: name }, doc, fields });
}
