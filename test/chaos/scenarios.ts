import type { TurnLimits } from "../../packages/runtime/src/services/turn/limits.ts";
import type { Script } from "../../packages/runtime/src/models/script.ts";
import type { Person, Plan } from "./person.ts";

/** What is played: by a model that follows a script, and by a person who has a plan. */
export interface Scenario {
  readonly about: string;
  script(world: string): Script;
  readonly limits?: Partial<TurnLimits>;
  readonly plan: Plan;
}

export const SCENARIO_NAMES = ["tools", "approval", "subagent", "compaction", "branch"] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const PAGES = 5;

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  tools: {
    about: "reads side by side, a write that may be repeated, a failure, one that must not be repeated",
    script: (world) => ({
      rules: [
        {
          rounds: [
            [{ say: "I look." }, { call: "look", with: { world } }, { call: "peek", with: { world } }],
            [{ call: "put", with: { world } }],
            [{ call: "break_down", with: { world } }],
            [{ when_failed: true, do: [{ call: "send", with: { world } }] }],
            [{ say: "All of it is done." }],
          ],
        },
      ],
    }),
    plan: (person) => work(person, { permission_mode: "full_access" }),
  },
  approval: {
    about: "a person agrees to one write and not to another",
    script: (world) => ({
      rules: [
        {
          rounds: [
            [{ call: "send", with: { world } }],
            [{ call: "wipe", with: { world } }],
            [{ when_failed: true, do: [{ say: "Sent, and nothing wiped." }] }],
          ],
        },
      ],
    }),
    plan: (person) => work(person, {}),
  },
  subagent: {
    about: "a session delegates, and a person answers what its sub-agent asks",
    script: (world) => ({
      rules: [
        {
          when: "begin",
          rounds: [[{ call: "delegate", with: { task: "Send it." } }], [{ say: "It is back." }]],
        },
        { when: "send it", rounds: [[{ call: "send", with: { world } }], [{ say: "Sent." }]] },
      ],
    }),
    plan: (person) => chat(person, {}),
  },
  compaction: {
    about: "one turn that reads so much that the conversation is folded on the way",
    // Asks for the page after the one it was told last: earlier ones are not in the conversation any more.
    script: (world) => ({
      rules: [
        {
          rounds: Array.from({ length: PAGES + 1 }, () => [
            { when_result: `page ${PAGES} of`, do: [{ say: "I have read it." }] },
            ...Array.from({ length: PAGES - 1 }, (_, i) => ({
              when_result: `page ${i + 1} of`,
              do: [{ call: "turn_page", with: { world, page: i + 2 } }],
            })),
            { do: [{ call: "turn_page", with: { world, page: 1 } }] },
          ]),
        },
      ],
    }),
    limits: { historyMessages: 6 },
    plan: (person) => chat(person, {}),
  },
  branch: {
    about: "a branch from the middle, and both go to their end",
    script: (world) => ({
      rules: [
        {
          when: "another way",
          rounds: [[{ call: "send", with: { world } }], [{ say: "Done another way." }]],
        },
        {
          rounds: [
            [{ call: "look", with: { world } }],
            [{ call: "send", with: { world } }],
            [{ say: "Done." }],
          ],
        },
      ],
    }),
    async plan({ call, settle }) {
      const parent = await startWork(call, { permission_mode: "full_access" });
      await settle(parent);
      const { events } = await call("listEvents", {
        params: { id: parent },
        query: { types: ["tool_outcome"], limit: 1 },
      });
      const branch = await call("resumeSession", {
        params: { id: parent },
        body: { from_event_id: String(events[0]?.["id"]), input: "Another way." },
        idempotencyKey: "branch",
      });
      await settle(branch.session_id);
    },
  },
};

type Settings = { readonly permission_mode?: "full_access" };

async function startWork(call: Person["call"], settings: Settings): Promise<string> {
  const started = await call("startSession", {
    body: { task: "Begin.", ...settings },
    idempotencyKey: "work",
  });
  return started.session_id;
}

async function work({ call, settle }: Person, settings: Settings): Promise<void> {
  await settle(await startWork(call, settings));
}

async function chat({ call, settle }: Person, settings: Settings): Promise<void> {
  const { session_id: id } = await call("createChatSession", { body: settings, idempotencyKey: "chat" });
  await call("startTurn", { params: { id }, body: { input: "Begin." }, idempotencyKey: "turn" });
  await settle(id);
}
