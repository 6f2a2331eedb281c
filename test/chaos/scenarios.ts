import type { TurnLimits } from "../../packages/runtime/src/services/turn/limits.ts";
import type { Script, Step } from "../../packages/runtime/src/models/script.ts";
import type { Person, Plan } from "./person.ts";

/** What is played: by a model that follows a script, and by a person who has a plan. */
export interface Scenario {
  readonly about: string;
  script(world: string): Script;
  readonly limits?: Partial<TurnLimits>;
  /** The project is a repository, and is kept while chats work in it. */
  readonly kept?: true;
  /** The files that each session must have in the end, where it is known: in the order in which they began. */
  readonly files?: readonly (readonly string[])[];
  readonly plan: Plan;
}

export const SCENARIO_NAMES = ["tools", "approval", "subagent", "compaction", "branch"] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const PAGES = 5;

/** Named, so that it is the same call whatever the model was told before it: a person's word, or the tool's own. */
function call(tool: string, world: string): Step {
  return { call: tool, id: tool, with: { world } };
}

function putPage(world: string, page: number): Step {
  return { call: "put", id: "put", with: { world, page } };
}

function turnPage(world: string, page: number): Step {
  return { call: "turn_page", id: `page_${page}`, with: { world, page } };
}

export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  tools: {
    about: "reads side by side, a write that may be repeated, a failure, one that must not be repeated",
    script: (world) => ({
      rules: [
        {
          rounds: [
            [{ say: "I look." }, call("look", world), call("peek", world)],
            [call("put", world)],
            [call("break_down", world)],
            [{ when_failed: true, do: [call("send", world)] }],
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
            [call("send", world)],
            [call("wipe", world)],
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
          rounds: [
            [{ call: "delegate", id: "delegate", with: { task: "Send it." } }],
            [{ say: "It is back." }],
          ],
        },
        { when: "send it", rounds: [[call("send", world)], [{ say: "Sent." }]] },
      ],
    }),
    plan: async (person) => void (await chat(person, {})),
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
              do: [turnPage(world, i + 2)],
            })),
            { do: [turnPage(world, 1)] },
          ]),
        },
      ],
    }),
    limits: { historyMessages: 6 },
    plan: async (person) => void (await chat(person, {})),
  },
  branch: {
    about: "a branch from before a write, which has the files as they were there, and both go to their end",
    script: (world) => ({
      rules: [
        {
          when: "another way",
          rounds: [[putPage(world, 2)], [{ say: "Done another way." }]],
        },
        {
          rounds: [[call("look", world)], [putPage(world, 1)], [{ say: "Done." }]],
        },
      ],
    }),
    kept: true,
    files: [
      ["begun.txt", "put-1.txt"],
      ["begun.txt", "put-2.txt"],
    ],
    async plan(person) {
      const { call: ask, settle } = person;
      const settings = { permission_mode: "full_access" } as const;
      const parent = await chat(person, settings);
      const { events } = await ask("listEvents", {
        params: { id: parent },
        query: { types: ["tool_outcome"], limit: 1 },
      });
      const { session_id: id } = await ask("branchChatSession", {
        params: { id: parent },
        body: { from_event_id: String(events[0]?.["id"]) },
        idempotencyKey: "branch",
      });
      const body = { input: "Another way." };
      await ask("startTurn", { params: { id }, body, idempotencyKey: "turn-of-branch" });
      await settle(id);
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

async function chat({ call, settle }: Person, settings: Settings): Promise<string> {
  const { session_id: id } = await call("createChatSession", { body: settings, idempotencyKey: "chat" });
  await call("startTurn", { params: { id }, body: { input: "Begin." }, idempotencyKey: "turn" });
  await settle(id);
  return id;
}
