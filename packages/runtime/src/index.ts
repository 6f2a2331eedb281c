export type { Runtime, RuntimeOptions, StoreChoice } from "./create-runtime.ts";
export { createRuntime } from "./create-runtime.ts";
export { SYSTEM_ACTOR } from "./domain/actor.ts";
export { FACES } from "./faces/index.ts";
export { tierFilter } from "./server/sse/view.ts";
export { createStreamFacts, inFeed } from "./server/sse/visibility.ts";
