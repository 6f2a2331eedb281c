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
  session(): Promise<SessionId>;
  /** Resolves when the turn's end is durable and was seen by who follows the session. */
  turn(session: SessionId, input: string, heard?: () => void): Promise<void>;
  close(): Promise<void>;
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
    session: async () =>
      (
        await runtime.services.sessions.create(SYSTEM_ACTOR, {
          permission_mode: "normal",
          approval_mode: "on_request",
        })
      ).session_id,
    turn: (session, input, heard) => followedTurn(runtime, session, input, heard),
    async close() {
      await runtime.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function followedTurn(
  { log, services }: Runtime,
  session: SessionId,
  input: string,
  heard?: () => void,
): Promise<void> {
  const after = (await log.stream(session))?.head_seq ?? 0;
  // Follows from before it begins, as a screen does.
  const ended = followToEnd(log.subscribe(session, { after }), heard);
  await services.turns.start(SYSTEM_ACTOR, session, { input });
  await ended;
}

async function followToEnd(batches: AsyncIterable<readonly AnyEvent[]>, heard?: () => void): Promise<void> {
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.type === "agent.output.delta") heard?.();
      if (event.type !== "runtime.turn.ended") continue;
      const { status } = event.data as { status: string };
      if (status !== "completed") throw new Error(`a turn was ${status}`);
      return;
    }
  }
}
