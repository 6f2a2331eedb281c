import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnyEvent, SessionId } from "@fairlead/contract";
import {
  type Runtime,
  type RuntimeOptions,
  createRuntime,
} from "../../packages/runtime/src/create-runtime.ts";
import { SYSTEM_ACTOR } from "../../packages/runtime/src/domain/actor.ts";
import { ToolsConfig } from "../../packages/runtime/src/host/tools-config.ts";
import { compatibleModel } from "../../packages/runtime/src/models/compatible.ts";
import type { Model } from "../../packages/runtime/src/ports/model.ts";

const TOOL = fileURLToPath(new URL("stock-tool.ts", import.meta.url));

/** The engine as it comes: SQLite flushed with each commit, the rules, guards and tools that come along, one tool more. */
export interface Ours {
  readonly runtime: Runtime;
  /** The database. */
  readonly file: string;
  session(): Promise<OurSession>;
  close(): Promise<void>;
}

export interface OurSession {
  readonly id: SessionId;
  /** Resolves when the turn's end is durable and was seen by who follows the session. */
  turn(input: string, heard?: () => void): Promise<void>;
  close(): void;
}

export async function openOurs(
  modelUrl: string,
  {
    wrapModel = (model: Model) => model,
    ...more
  }: Partial<RuntimeOptions> & { wrapModel?: (model: Model) => Model } = {},
): Promise<Ours> {
  const dir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const workspace = join(dir, "work");
  mkdirSync(workspace);
  const runtime = await createRuntime({
    store: { sqlite: join(dir, "data") },
    models: [wrapModel(compatibleModel({ id: "bench", baseUrl: `${modelUrl}/v1` }))],
    tools: ToolsConfig.parse({ modules: [TOOL] }),
    sealKey: Buffer.alloc(32),
    env: {},
    workspace,
    report: (error) => console.error(error),
    ...more,
  });
  return {
    runtime,
    file: join(dir, "data", "fairlead.db"),
    session: () => openSession(runtime),
    async close() {
      await runtime.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Follows the session from before its first turn, as a screen does. */
async function openSession({ log, services }: Runtime): Promise<OurSession> {
  const { session_id: id } = await services.sessions.create(SYSTEM_ACTOR, {
    permission_mode: "normal",
    approval_mode: "on_request",
  });
  const gone = new AbortController();
  const following = Promise.withResolvers<void>();
  let told: (event: AnyEvent) => void = () => following.resolve();
  void (async () => {
    for await (const batch of log.subscribe(id, { signal: gone.signal }))
      batch.forEach((event) => told(event));
  })();
  await following.promise;
  return {
    id,
    async turn(input, heard) {
      const ended = Promise.withResolvers<string>();
      told = ({ type, data }) => {
        if (type === "agent.output.delta") heard?.();
        if (type === "runtime.turn.ended") ended.resolve((data as { status: string }).status);
      };
      await services.turns.start(SYSTEM_ACTOR, id, { input });
      const status = await ended.promise;
      if (status !== "completed") throw new Error(`a turn was ${status}`);
    },
    close: () => gone.abort(),
  };
}
