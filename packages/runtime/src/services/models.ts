import type { Model } from "../ports/model.ts";
import { badRequest } from "./refusal.ts";

/** The models a session can name. */
export interface Models {
  readonly all: readonly Model[];
  /** The one a session gets when it names none. */
  readonly main: Model;
  /** Those that stand in for it, in order. */
  readonly fallbacks: readonly Model[];
  /** Undefined when there is none of this name. */
  find(id: string): Model | undefined;
  /** As `find`, for what a caller asked for. Throws bad_request with the names there are. */
  demand(id: string): Model;
}

/** What a session calls its model, and finds it by. */
export function refOf({ name, id }: Model): string {
  return name ?? id;
}

/** The first is the main one. */
export function createModels(models: readonly Model[], fallbacks: readonly string[] = []): Models {
  // By its id alone, or with its provider where two have the same.
  const byId = new Map(
    models
      .toReversed()
      .flatMap((model) => [
        [`${model.provider}/${model.id}`, model] as const,
        [model.id, model] as const,
        [refOf(model), model] as const,
      ]),
  );
  const main = models[0];
  if (main === undefined) throw new TypeError("a runtime needs at least one model");
  return {
    all: models,
    main,
    fallbacks: fallbacks.flatMap((id) => byId.get(id) ?? []),
    find: (id) => byId.get(id),
    demand(id) {
      const model = byId.get(id);
      if (model === undefined)
        throw badRequest(`There is no model ${JSON.stringify(id)}.`, {
          models: models.map(refOf),
        });
      return model;
    },
  };
}
