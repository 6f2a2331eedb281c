// A session that delegates twice at once: one sub-agent asks a person before it does what must not be done twice, the
// other delegates further. The same in the child that is killed and in the one that goes on.
import { fileURLToPath } from "node:url";
import type { Runtime, StoreChoice } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Script } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { type Observe, openCrashScene } from "./open-scene.ts";

export const AGENTS = ["subagent_1", "subagent_2", "subagent_2.1"] as const;
export const ANSWER = "All of them are back.";

const SCRIPT: Script = {
  rules: [
    {
      when: "begin",
      rounds: [
        [
          { call: "delegate", with: { task: "Send it." } },
          { call: "delegate", with: { task: "Pass it on." } },
        ],
        [{ say: ANSWER }],
      ],
    },
    { when: "send it", rounds: [[{ call: "send" }], [{ say: "Sent." }]] },
    {
      when: "pass it on",
      rounds: [[{ call: "delegate", with: { task: "Look around." } }], [{ say: "Passed." }]],
    },
    { when: "look around", rounds: [[{ call: "look" }], [{ say: "Looked." }]] },
  ],
};

export async function openDelegation(
  store: StoreChoice,
  workspace: string,
  observe?: Observe,
): Promise<Runtime> {
  return openCrashScene(store, workspace, observe, {
    models: [scriptedModel({ script: SCRIPT })],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./turn-tools.ts", import.meta.url))] }),
  });
}
