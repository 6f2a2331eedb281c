// The scripted model over HTTP, without the engine: for tests, benchmarks and other programs' clients.
export { demoScript } from "./models/demo.ts";
export type { Script } from "./models/script.ts";
export { parseScript } from "./models/script.ts";
export type { ModelServer, ModelServerOptions } from "./models/serve/server.ts";
export { serveModel } from "./models/serve/server.ts";
