import { PERMISSION_MODES } from "@fairlead/contract";
import { ToolFailure } from "../ports/tool-failure.ts";
import type { Tool, ToolArguments } from "../ports/tool.ts";
import { builtin } from "./builtin.ts";

const TASK_CHARS = 100_000;
const MOST_TOOLS = 100;

/**
 * Hands a task to a sub-agent. By itself it changes nothing: what the sub-agent does is judged in its own session,
 * under modes that are never wider. So it counts as a read, and several run side by side.
 */
export function delegate(): Tool {
  return builtin({
    name: "delegate",
    description:
      "Gives a task to a sub-agent, which works on it in a session of its own and gives back its last words. It sees nothing of this conversation: say all that it must know, and what you want back. Ask for several at once where they do not depend on each other.",
    properties: {
      task: {
        type: "string",
        minLength: 1,
        maxLength: TASK_CHARS,
        description: "What to do, all that must be known for it, and what to give back.",
      },
      title: { type: "string", minLength: 1, maxLength: 200, description: "A few words that people see." },
      instructions: {
        type: "string",
        maxLength: TASK_CHARS,
        description:
          "What the sub-agent is told before anything else, beside the instructions of this session.",
      },
      model: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "Left out: the model of this session.",
      },
      tools: {
        type: "array",
        maxItems: MOST_TOOLS,
        items: { type: "string", minLength: 1, maxLength: 200 },
        description: "The names of those of your tools that it may use. Left out: all of them.",
      },
      permission_mode: {
        type: "string",
        enum: PERMISSION_MODES,
        description: "At most that of this session, which it is when left out. plan: it reads only.",
      },
      max_tokens: {
        type: "integer",
        minimum: 1,
        description: "What it may use, taken from what is left here.",
      },
      max_cost_usd: { type: "number", exclusiveMinimum: 0, description: "The same in dollars." },
      max_steps: {
        type: "integer",
        minimum: 1,
        maximum: 1_000,
        description: "Model calls that it may make.",
      },
    },
    required: ["task"],
    access: "read",
    kind: "delegation",
    effect: "idempotent",
    checks: [blank],
    run: () =>
      Promise.reject(new ToolFailure("Only an agent delegates, in a turn. Start a session instead.")),
  });
}

function blank({ task }: ToolArguments): string | undefined {
  return typeof task === "string" && task.trim() === "" ? "`task` must say what to do." : undefined;
}
