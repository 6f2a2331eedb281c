import type { ModelRow } from "@fairlead/contract";
import type { Model } from "../ports/model.ts";
import { type Models, refOf } from "./models.ts";

/** What people can choose among. */
export interface ModelList {
  /** The default first. Nothing in it is secret. */
  list(): readonly ModelRow[];
}

export function createModelList({ all, main, fallbacks }: Models): ModelList {
  const rows = all.map((model): ModelRow => rowOf(model, model === main, fallbacks.indexOf(model)));
  return { list: () => rows };
}

function rowOf(model: Model, isMain: boolean, place: number): ModelRow {
  const { provider, id, hasKey, contextTokens, price } = model;
  return {
    name: refOf(model),
    provider,
    model: id,
    default: isMain,
    fallback: place === -1 ? null : place + 1,
    has_key: hasKey ?? null,
    context_tokens: contextTokens ?? null,
    price: price === undefined ? null : { ...price },
  };
}
