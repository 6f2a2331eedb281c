// The whole product over a data directory, in a process of its own. Its model wants to write at once, so that every
// session waits for a person.
import { createRuntime } from "../../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { scriptedModel } from "../../packages/runtime/src/models/scripted.ts";
import { createServer } from "../../packages/runtime/src/server/app.ts";
import { tokenAuthenticator } from "../../packages/runtime/src/server/auth/authenticator.ts";
import type { Logger } from "../../packages/runtime/src/server/config.ts";
import { createMetrics } from "../../packages/runtime/src/server/metrics.ts";

const [data, workspace] = process.argv.slice(2) as [string, string];
const write = { call: "write_file", with: { path: "a.txt", content: "a" } };
const runtime = await createRuntime({
  store: { sqlite: data },
  workspace,
  sealKey: Buffer.alloc(32, 7),
  env: {},
  models: [scriptedModel({ script: { rules: [{ do: [write] }] } })],
});
const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent } as unknown as Logger;
const server = createServer({
  runtime,
  auth: tokenAuthenticator(runtime.services.tokens),
  config: { host: "127.0.0.1", port: 0, version: "bench" },
  logger,
  metrics: createMetrics(),
});
await runtime.start();
const { url } = await server.listen();
const { secret } = await runtime.services.tokens.create(SYSTEM_ACTOR, { actor: "bench", role: "operator" });
process.on("message", () => void process.send?.({ is: "memory", rss: process.memoryUsage().rss }));
process.on("disconnect", () => {
  void (async () => {
    await server.close();
    await runtime.stop();
    process.exit(0);
  })();
});
process.send?.({ is: "listening", url, token: secret });
