// One turn with one tool and one hook: the same in the child that is killed and in the one that goes on.
import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HookPoint, SessionId } from "@fairlead/contract";
import { type Runtime, createRuntime } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADMIN, SEAL_KEY } from "../support/world.ts";
import { until } from "./tool-kill-scene.ts";

/** Counts its runs, stays as long as it is held, and says no once it is told to. */
export const HOOK = `#!/bin/sh
echo ran >> hooked.txt
if [ -e held ]; then echo $$ > pid.part; mv pid.part pid; exec sleep 600; fi
if [ -e refuse ]; then echo '{"decision":"block","reason":"Not any more."}'; fi
`;

const TOOLS = fileURLToPath(new URL("./tool-kill-tools.ts", import.meta.url));

export async function openHookScene(data: string, workspace: string, on: HookPoint): Promise<Runtime> {
  return createRuntime({
    store: { sqlite: data },
    workspace,
    sealKey: SEAL_KEY,
    env: { PATH: "/usr/bin:/bin", XDG_CONFIG_HOME: `${data}-config` },
    models: [
      scriptedModel({
        script: {
          rules: [{ rounds: [[{ say: "I begin. " }, { call: "send" }], [{ say: "All of it is done." }]] }],
        },
      }),
    ],
    tools: ToolsConfig.parse({ modules: [TOOLS] }),
    hooks: {
      base: workspace,
      hooks: [{ name: "guard", on, command: ["./guard.sh"], blocking: true, timeout_ms: 600_000 }],
    },
    limits: { leaseMs: 500 },
  });
}

/** Lives until it is killed, which is when its hook runs. */
export async function playUntilHooked([
  data = "",
  workspace = "",
  session = "",
  on = "",
]: readonly string[]): Promise<void> {
  const runtime = await openHookScene(data, workspace, on as HookPoint);
  await runtime.start();
  // Whoever is killed leaves no cache behind.
  flushCompileCache();
  await runtime.services.turns.start(ADMIN, session as SessionId, { input: "Send it." });
  await until(
    async () => existsSync(join(workspace, "pid")),
    (isThere) => isThere,
  );
  process.stdout.write("hooked\n");
  setInterval(() => {}, 60_000);
}
