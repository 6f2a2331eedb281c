import { z } from "zod";
import { route } from "../define-route.ts";

const dollars = z.number().min(0);

/** A model that a session can take. Of its key only whether there is one. */
export const ModelRow = z.object({
  /** What a session calls it. */
  name: z.string(),
  provider: z.string(),
  /** The provider's own name of it. */
  model: z.string(),
  /** A session that names none gets this one. */
  default: z.boolean(),
  /** Its place among those that stand in for one that fails, from 1; null for the others. */
  fallback: z.int().min(1).nullable(),
  /** Null where it is not known to need one. */
  has_key: z.boolean().nullable(),
  /** The longest conversation it takes; null where that is not known. */
  context_tokens: z.int().min(1).nullable(),
  /** Dollars for a million tokens; null where they are not known. */
  price: z
    .object({
      input: dollars,
      output: dollars,
      cached_input: dollars.optional(),
      cache_write: dollars.optional(),
    })
    .nullable(),
});
export type ModelRow = z.infer<typeof ModelRow>;

export const MODEL_ROUTES = {
  listModels: route({
    method: "GET",
    path: "/models",
    summary: "List models",
    doc: "Those that a session can take, the default first. Keys are never shown.",
    role: "viewer",
    agents: true,
    status: 200,
    reply: z.object({ models: z.array(ModelRow) }),
    errors: [],
  }),
};
