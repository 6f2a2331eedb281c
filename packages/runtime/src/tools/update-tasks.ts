import type { NewEvent } from "@fairlead/contract";
import type { Clock } from "../ports/clock.ts";
import type { Tool } from "../ports/tool.ts";
import { builtin } from "./builtin.ts";
import { TASKS } from "./limits.ts";

const STATUSES = ["pending", "in_progress", "completed", "failed", "skipped", "cancelled"] as const;

interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: (typeof STATUSES)[number];
}

/** Changes nothing outside the session: it says what the agent means to do, and people see it. */
export function updateTasks({ clock }: { readonly clock: Clock }): Tool {
  return builtin({
    name: "update_tasks",
    description:
      "Sets the list of tasks that people see. Give the whole list each time: it replaces the one before. Use it for work of several steps; mark a task in_progress before you begin it and completed when it is done.",
    properties: {
      tasks: {
        type: "array",
        maxItems: TASKS,
        description: "All tasks, in order.",
        items: {
          type: "object",
          properties: {
            id: {
              type: "string",
              minLength: 1,
              maxLength: 100,
              description: "Stays the same while the task exists.",
            },
            title: {
              type: "string",
              minLength: 1,
              maxLength: 500,
              description: "What is to be done, in a few words.",
            },
            status: { type: "string", enum: STATUSES, description: "How far it is." },
          },
          required: ["id", "title", "status"],
          additionalProperties: false,
        },
      },
    },
    required: ["tasks"],
    access: "read",
    kind: "tasks",
    effect: "idempotent",
    // The last list stands, so the order of two of them matters.
    parallel: false,
    checks: [twice],
    async run(args, { session_id, turn_id }) {
      const { tasks } = args as unknown as { readonly tasks: readonly Task[] };
      const list = tasks.map(({ id, title, status }) => ({ id, title, status }));
      const event: NewEvent<"runtime.task.list"> = {
        type: "runtime.task.list",
        data: { run_id: turn_id, session_id, tasks: list, updated_at: new Date(clock.now()).toISOString() },
        turn_id,
      };
      return { result: { tasks: list.length, ...counts(list) }, text: told(list), events: [event] };
    },
  });
}

function twice({ tasks }: Readonly<Record<string, unknown>>): string | undefined {
  const ids = (tasks as readonly Task[]).map(({ id }) => id);
  const again = ids.find((id, i) => ids.indexOf(id) !== i);
  return again === undefined
    ? undefined
    : `Two tasks have the id ${JSON.stringify(again)}; each needs its own.`;
}

function counts(tasks: readonly Task[]): Record<string, number> {
  const by: Record<string, number> = {};
  for (const { status } of tasks) by[status] = (by[status] ?? 0) + 1;
  return by;
}

function told(tasks: readonly Task[]): string {
  if (tasks.length === 0) return "The task list is empty now.";
  const open = tasks.filter(({ status }) => status === "pending" || status === "in_progress").length;
  return `The task list has ${tasks.length} tasks now, ${open} of them open.`;
}
