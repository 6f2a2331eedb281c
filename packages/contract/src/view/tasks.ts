export interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** What our own loop sets the list with. */
export const TASK_TOOL = "update_tasks";

/** The list that a call sets; undefined when it sets none. */
export function tasksOf(call: {
  readonly name: string;
  readonly arguments: unknown;
}): readonly Task[] | undefined {
  if (call.name !== TASK_TOOL) return undefined;
  const { tasks } = (call.arguments ?? {}) as { tasks?: unknown };
  return Array.isArray(tasks) ? tasksFrom(tasks) : undefined;
}

/** Whatever of a list looks like tasks. */
export function tasksFrom(tasks: readonly unknown[]): readonly Task[] {
  return tasks.flatMap((task, index) => {
    const { id, status, ...rest } = (task ?? {}) as Partial<Task> & {
      content?: unknown;
      description?: unknown;
    };
    const title = [rest.title, rest.content, rest.description].find((text) => typeof text === "string");
    if (typeof title !== "string" || typeof status !== "string") return [];
    return [{ id: typeof id === "string" ? id : String(index), title, status }];
  });
}
