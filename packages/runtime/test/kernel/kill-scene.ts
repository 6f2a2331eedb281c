// Background work that passes through every state that a process can be lost in, and who plays it: the same in the
// child that is killed and in the one that goes on.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionId, SessionStatus } from "@fairlead/contract";
import { type Runtime, type StoreChoice, createRuntime } from "../../src/create-runtime.ts";
import { ENDED } from "../../src/domain/kernel/table.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Script } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import type { StartSession } from "../../src/services/kernel/types.ts";
import type { TurnLimits } from "../../src/services/turn/limits.ts";
import { ADMIN, SEAL_KEY } from "../support/world.ts";

const scriptOf = (waitMs: number): Script => ({
  rules: [
    {
      when: "slow",
      rounds: [[{ call: "look" }], [{ say: "A moment. " }, { wait_ms: waitMs }, { say: "There." }]],
    },
    { when: "check", rounds: [[{ call: "send" }], [{ say: "Checked." }]] },
    {
      rounds: [
        [{ call: "look" }, { call: "peek" }],
        [{ call: "put" }],
        [{ call: "send" }],
        [{ say: "All of it is done." }],
      ],
    },
  ],
});

export interface KernelLimits extends Partial<TurnLimits> {
  /** How long it is in the middle of what is slow. */
  readonly waitMs?: number;
}

export async function openKernel(
  store: StoreChoice,
  workspace: string,
  observe: (log: EventLog) => EventLog = (log) => log,
  { waitMs = 0, ...limits }: KernelLimits = {},
): Promise<Runtime> {
  return createRuntime({
    store,
    workspace,
    sealKey: SEAL_KEY,
    // Workspaces of its own go where the project goes, and away with it.
    env: { XDG_STATE_HOME: join(workspace, ".state") },
    observe,
    models: [scriptedModel({ script: scriptOf(waitMs) })],
    tools: ToolsConfig.parse({
      modules: [fileURLToPath(new URL("../crash/turn-tools.ts", import.meta.url))],
    }),
    limits: { callTries: 1, leaseMs: 500, deltaMs: 1, ...limits },
  });
}

/** Queued, for whoever comes. */
export async function queueWork(
  store: StoreChoice,
  workspace: string,
  task = "Begin.",
  more: Partial<StartSession> = {},
): Promise<SessionId> {
  const runtime = await openKernel(store, workspace, undefined, { background: 0 });
  const { session_id } = await runtime.services.kernel.start(ADMIN, { task, ...more });
  await runtime.stop();
  return session_id;
}

/** Plays the operator: pauses once before the last yes, and says yes to everything. */
export async function operate(runtime: Runtime, session: SessionId): Promise<SessionStatus> {
  const { kernel, questions, sessions, turns } = runtime.services;
  for (let looks = 0; looks < 4_000; looks++) {
    const { status } = await sessions.get(ADMIN, session);
    if (ENDED.has(status)) return status;
    if (status === "paused") await kernel.resume(ADMIN, session, { reason: "break is over" });
    const { rows } = await questions.list(ADMIN, { session_id: session, state: "pending" });
    for (const { request_id, kind, tool_name } of rows) {
      if (tool_name === "send" && kind === "approval" && !(await wasPaused(runtime, session))) {
        await kernel.pause(ADMIN, session, "a break");
        break;
      }
      const answer = kind === "approval" ? {} : { answer: { outcome: "happened" } };
      await questions.decide(ADMIN, request_id, { decision: "approved", ...answer });
    }
    await turns.recover();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("the session has not ended");
}

async function wasPaused({ log }: Runtime, session: SessionId): Promise<boolean> {
  const { events } = await log.read(session, { types: ["runtime.session.pausing"], limit: 1 });
  return events.length > 0;
}
