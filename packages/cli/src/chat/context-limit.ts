import type { ModelRow } from "@fairlead/contract";
import type { View } from "./model.ts";

/** With how much the model in use takes, where the list of models says so; else what a warning said of it. */
export function withContextLimit(view: View, models: readonly ModelRow[]): View {
  const limit = limitOf(models, view.model);
  return limit === null || limit === view.contextLimit ? view : { ...view, contextLimit: limit };
}

function limitOf(models: readonly ModelRow[], model: string | null): number | null {
  if (model === null) return models.find((row) => row.default)?.context_tokens ?? null;
  const named = models.find(({ name }) => name === model);
  if (named !== undefined) return named.context_tokens;
  // Usage has the provider's own name, which two entries can share: then neither is meant for sure.
  const [first, ...others] = models.filter((row) => row.model === model);
  if (first === undefined || others.some((row) => row.context_tokens !== first.context_tokens)) return null;
  return first.context_tokens;
}
