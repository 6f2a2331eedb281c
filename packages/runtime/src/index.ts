export type { Runtime, RuntimeOptions, StoreChoice } from "./create-runtime.ts";
export { createRuntime } from "./create-runtime.ts";
export { openModels } from "./open-models.ts";
export { SYSTEM_ACTOR } from "./domain/actor.ts";
export { tierFilter } from "./domain/feed.ts";
export { FACES } from "./faces/index.ts";
export { createVisibility } from "./services/visibility.ts";
