// A session that delegates twice at once: one sub-agent asks a person before it does what must not be done twice, the
// other delegates further. The same in the child that is killed and in the one that goes on.
import { fileURLToPath } from "node:url";
import { type Runtime, type StoreChoice, createRuntime } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import type { Script } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { EventLog } from "../../src/ports/event-log.ts";
import { SEAL_KEY } from "../support/world.ts";

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
  observe: (log: EventLog) => EventLog = (log) => log,
): Promise<Runtime> {
  return createRuntime({
    store,
    workspace,
    sealKey: SEAL_KEY,
    env: {},
    observe,
    models: [scriptedModel({ script: SCRIPT })],
    tools: ToolsConfig.parse({ modules: [fileURLToPath(new URL("./turn-tools.ts", import.meta.url))] }),
    limits: { callTries: 1, leaseMs: 500, deltaMs: 1 },
  });
}
