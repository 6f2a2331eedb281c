import type { ConditionContext } from "./views.ts";

/** The structures that conditions see, with the type of each field. `dyn` is what an agent may fill as it likes. */
export const STRUCTURES = {
  Event: {
    event_type: "string",
    session_id: "string",
    agent_id: "string",
    timestamp: "string",
    depth: "int",
    payload: "dyn",
    context: "dyn",
    metadata: "dyn",
  },
  Stats: { total_actions: "int", total_tokens: "int", duration_ms: "int", error_count: "int" },
  // Not `double`, which CEL would refuse to compare with a whole number.
  Amounts: { tokens: "dyn", cost_usd: "dyn", actions: "dyn", duration_ms: "dyn" },
  Budget: { limits: "Amounts", used: "Amounts", share: "Amounts" },
  History: {},
  Command: {
    name: "string",
    words: "list<string>",
    line: "string",
    input: "string",
    computed: "bool",
    paths: "list<string>",
    outside: "list<string>",
  },
  Action: {
    tool: "string",
    text: "string",
    readable: "bool",
    commands: "list<Command>",
    paths: "list<string>",
    outside: "list<string>",
    urls: "list<string>",
    workspace: "string",
  },
} as const satisfies Record<string, Record<string, string>>;

export type StructureName = keyof typeof STRUCTURES;

/** The names that a condition can begin with. */
export const VARIABLES = {
  event: "Event",
  stats: "Stats",
  budget: "Budget",
  history: "History",
  action: "Action",
} as const satisfies Record<keyof ConditionContext, StructureName>;

export type VariableName = keyof typeof VARIABLES;
export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

/** The fields of a structure; undefined for a type that is none. */
export function fieldsOf(type: string): Readonly<Record<string, string>> | undefined {
  return Object.hasOwn(STRUCTURES, type) ? STRUCTURES[type as StructureName] : undefined;
}
