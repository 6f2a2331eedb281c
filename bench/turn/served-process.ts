// The whole product in a process of its own: HTTP, authentication and SSE around the engine.
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { createServer } from "../../packages/runtime/src/server/app.ts";
import { tokenAuthenticator } from "../../packages/runtime/src/server/auth/authenticator.ts";
import type { Logger } from "../../packages/runtime/src/server/config.ts";
import { createMetrics, observedLog } from "../../packages/runtime/src/server/metrics.ts";
import { openOurs } from "./ours.ts";

const metrics = createMetrics();
const ours = await openOurs(process.argv[2] ?? "", { observe: (log) => observedLog(log, metrics) });
const { runtime } = ours;
const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent } as unknown as Logger;
const server = createServer({
  runtime,
  auth: tokenAuthenticator(runtime.services.tokens),
  config: { host: "127.0.0.1", port: 0, version: "bench" },
  logger,
  metrics,
});
const { url } = await server.listen();
const { secret } = await runtime.services.tokens.create(SYSTEM_ACTOR, { actor: "bench", role: "operator" });
process.on("disconnect", () => {
  void (async () => {
    await server.close();
    await ours.close();
    process.exit(0);
  })();
});
process.send?.({ is: "listening", url, token: secret });
