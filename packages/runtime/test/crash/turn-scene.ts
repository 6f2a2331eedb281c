// One turn that passes through every phase, and the process that plays it: the same in the child that is killed and
// in the one that goes on.
import { fileURLToPath } from "node:url";
import type { SessionId } from "@fairlead/contract";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Script } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADMIN } from "../support/world.ts";
import { type Observe, openCrashScene } from "./open-scene.ts";

export const ANSWER = "All of it is done.";

/** Two reads side by side, one that can be repeated, one that asks first and must not be, then the answer. */
const SCRIPT: Script = {
  rules: [
    {
      when: "begin",
      rounds: [
        // With a pause, so that a part of the answer is written before the rest is there.
        [
          { think: "First I look." },
          { say: "I look " },
          { wait_ms: 60 },
          { say: "around. " },
          { call: "look" },
          { call: "peek" },
        ],
        [{ say: "Now I put it. " }, { call: "put" }],
        [{ say: "And I send it. " }, { call: "send" }],
        [{ say: ANSWER }],
      ],
    },
    { do: [{ say: "Heard." }] },
  ],
};
const BROKEN: Script = { rules: [{ do: [{ fail: "out of order", status: 500 }] }] };

export async function openScene(store: StoreChoice, workspace: string, observe?: Observe): Promise<Runtime> {
  return openCrashScene(store, workspace, observe, {
    models: [scriptedModel({ script: BROKEN, id: "broken" }), scriptedModel({ script: SCRIPT, id: "able" })],
    fallbacks: ["able"],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./turn-tools.ts", import.meta.url))] }),
  });
}

export type Answer = "happened" | "run_again" | "give_up";

/** Decides what is asked, until the session has nothing more to do. */
export async function playOut(
  runtime: Runtime,
  session: SessionId,
  answer: Answer,
  beforeYes: (tool: string) => Promise<unknown> = async () => {},
): Promise<void> {
  const { questions, sessions, turns } = runtime.services;
  for (let looks = 0; looks < 2_000; looks++) {
    const { rows } = await questions.list(ADMIN, { session_id: session, state: "pending" });
    for (const { request_id, kind, tool_name } of rows) {
      await beforeYes(tool_name);
      const said = kind === "approval" ? {} : { answer: { outcome: answer } };
      await questions.decide(ADMIN, request_id, { decision: "approved", ...said }).catch(unlessWithdrawn);
    }
    // What is held is looked at first: once it is not, the turn it became is seen.
    const wake = await runtime.log.row<{ held: readonly string[] }>("wake", session);
    const { turn_id } = await sessions.get(ADMIN, session);
    if (turn_id === null && (wake?.held ?? []).length === 0 && rows.length === 0) return;
    await turns.recover();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("the session still has something to do");
}

/** A turn that is ended meanwhile takes back what it asks. */
function unlessWithdrawn(error: unknown): void {
  if ((error as { code?: string }).code !== "question_expired") throw error;
}
