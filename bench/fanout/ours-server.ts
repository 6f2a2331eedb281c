// The whole product: durable append on SQLite, face, SSE, authentication and metrics on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "../../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { createServer } from "../../packages/runtime/src/server/app.ts";
import { tokenAuthenticator } from "../../packages/runtime/src/server/auth/authenticator.ts";
import type { Logger } from "../../packages/runtime/src/server/config.ts";
import { createMetrics, observedLog } from "../../packages/runtime/src/server/metrics.ts";
import { publishOnDemand } from "./publish.ts";

const dir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(0));

const metrics = createMetrics();
const runtime = await createRuntime({
  store: { sqlite: dir },
  sealKey: Buffer.alloc(32),
  env: {},
  observe: (log) => observedLog(log, metrics),
});
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
const { secret } = await runtime.services.tokens.create(SYSTEM_ACTOR, { actor: "bench", role: "viewer" });
const { session_id } = await runtime.services.sessions.create(SYSTEM_ACTOR, {});
const head = (await runtime.log.stream(session_id))?.head_seq ?? 0;
process.send?.({
  is: "listening",
  url: `${url}/sessions/${session_id}/events/stream?after=${head}`,
  token: secret,
});

publishOnDemand(async (text) => {
  const answer = await runtime.log.append({
    writes: [{ stream: session_id, events: [{ type: "agent.output.delta", data: { text } }] }],
  });
  if (!answer.ok) throw new Error(answer.refusal.message);
});
