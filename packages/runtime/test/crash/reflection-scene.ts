// A turn that changes something and looks back at it: the same in the child that is killed while it does, and in the
// one that goes on.
import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import type { SessionId } from "@fairlead/contract";
import { type Runtime, createRuntime } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADMIN, SEAL_KEY, everything } from "../support/world.ts";
import { until } from "./tool-kill-scene.ts";

export const ANSWER = "It is sent.";

/** `looking`: what the model does when it looks back. */
export async function openReflectionScene(
  data: string,
  workspace: string,
  ...looking: readonly Step[]
): Promise<Runtime> {
  const rounds = [[{ call: "send" }], [{ say: ANSWER }], [...looking]];
  return createRuntime({
    store: { sqlite: data },
    workspace,
    sealKey: SEAL_KEY,
    env: {},
    models: [scriptedModel({ script: { rules: [{ rounds }] } })],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./tool-kill-tools.ts", import.meta.url))] }),
    limits: { leaseMs: 500 },
    reflection: { before_finish: true },
  });
}

/** Lives until it is killed, in the middle of looking back. */
export async function lookBackUntilKilled([data, workspace, session]: readonly string[]): Promise<void> {
  const runtime = await openReflectionScene(
    data ?? "",
    workspace ?? "",
    { think: "Was it?" },
    { hang: true },
  );
  await runtime.start();
  // Whoever is killed leaves no cache behind.
  flushCompileCache();
  await runtime.services.turns.start(ADMIN, session as SessionId, { input: "Send it." });
  await until(
    () => everything(runtime.log, session as SessionId),
    (events) => events.some(({ type }) => type === "agent.thinking.delta"),
  );
  process.stdout.write("looking\n");
  setInterval(() => {}, 60_000);
}
