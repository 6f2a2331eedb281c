// Background work with two sub-agents that is made to wait in the middle of it, by its operator or by its policy, and the
// operator who lets it go on: the same in the child that is killed and in the one that goes on.
import { fileURLToPath } from "node:url";
import type { HealthPolicy, SessionId, SessionStatus, SubagentRow } from "@fairlead/contract";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { ENDED } from "../../src/domain/kernel/table.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Script, Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { everyRow } from "../../src/services/rows.ts";
import { ADMIN } from "../support/world.ts";
import { type Observe, openCrashScene } from "./open-scene.ts";

const LOOK: Step = { call: "look" };

const SCRIPT: Script = {
  rules: [
    {
      when: "begin",
      rounds: [
        [
          { call: "delegate", with: { task: "Walk in a circle." } },
          { call: "delegate", with: { task: "Stand and watch." } },
        ],
        [{ say: "Both are back." }],
      ],
    },
    { when: "circle", rounds: [[LOOK], [LOOK], [LOOK], [LOOK], [{ say: "Walked." }]] },
    { when: "watch", rounds: [[{ call: "peek" }], [LOOK], [{ say: "Watched." }]] },
  ],
};

/** What makes it wait, and the policy that it works under. */
export const WAYS = {
  operator: {},
  approval_request: { max_loop_warnings: 0, action: "approval_request" },
  pause: { max_loop_warnings: 0, action: "pause" },
} as const satisfies Record<string, HealthPolicy>;
export type Way = keyof typeof WAYS;

export async function openHolding(
  store: StoreChoice,
  workspace: string,
  observe?: Observe,
): Promise<Runtime> {
  return openCrashScene(store, workspace, observe, {
    models: [scriptedModel({ script: SCRIPT })],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./turn-tools.ts", import.meta.url))] }),
  });
}

/** Queued, and taken up by whoever comes next. It writes nothing, so it needs no place of its own. */
export async function queueHolding(store: StoreChoice, workspace: string, way: Way): Promise<SessionId> {
  const runtime = await openHolding(store, workspace, (log) => ({
    ...log,
    acquireLease: async () => undefined,
  }));
  const { session_id } = await runtime.services.kernel.start(ADMIN, {
    task: "begin",
    permission_mode: "plan",
    policy: { health: WAYS[way] },
  });
  await runtime.stop();
  return session_id;
}

/** Pauses it once while a sub-agent works, where that is the way; says yes to all that is asked, and lets it go on. */
export async function operate(runtime: Runtime, session: SessionId, way: Way): Promise<SessionStatus> {
  const { kernel, questions, sessions, turns } = runtime.services;
  for (let looks = 0; looks < 4_000; looks++) {
    const { status } = await sessions.get(ADMIN, session);
    if (ENDED.has(status)) return status;
    if (status === "paused") await kernel.resume(ADMIN, session, { reason: "break is over" });
    else if (way === "operator" && (await shouldPause(runtime, session)))
      await kernel.pause(ADMIN, session, "a break");
    const { rows } = await questions.list(ADMIN, { session_id: session, state: "pending" });
    for (const { request_id } of rows) await questions.decide(ADMIN, request_id, { decision: "approved" });
    await turns.recover();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`the session is ${(await sessions.get(ADMIN, session)).status}`);
}

async function shouldPause({ log }: Runtime, session: SessionId): Promise<boolean> {
  const has = async (stream: SessionId, type: string) =>
    (await log.read(stream, { types: [type], limit: 1 })).events.length > 0;
  if (await has(session, "runtime.session.pausing")) return false;
  for await (const { session_id } of everyRow<SubagentRow>(log, "subagent", { stream: session }))
    if (session_id !== null && (await has(session_id as SessionId, "agent.tool.outcome"))) return true;
  return false;
}
