import { add, change, type Handlers, note } from "./fold.ts";
import { settled } from "./handle-output.ts";
import type { Task } from "./items.ts";
import type { View } from "./model.ts";

const TASK_TOOL = "update_tasks";

export const TOOLS: Handlers = {
  tool_call(view, { name, arguments: args, tool_call_id }, { now }) {
    const { _tool_call_id: _, ...shown } = args as Record<string, unknown>;
    const known = view.items.some((item) => item.kind === "tool" && item.key === tool_call_id);
    // Tried again: the row that is there says so by running again.
    if (known)
      return change(view, "tool", tool_call_id, (item) => ({ ...item, state: "running", final: false }));
    return add(settled(view), {
      kind: "tool",
      key: tool_call_id,
      final: false,
      name,
      args: shown,
      state: "running",
      since: now,
      elapsed: undefined,
      error: undefined,
    });
  },
  tool_batch(view, { tool_call_ids }, { now }) {
    let next = view;
    for (const id of tool_call_ids) next = change(next, "tool", id, (item) => ({ ...item, since: now }));
    return next;
  },
  tool_outcome(view, { tool_call_id, tool_name, status, elapsed_ms, error }, { now }) {
    const row = view.items.find((item) => item.kind === "tool" && item.key === tool_call_id);
    const ended = { state: status, elapsed: elapsed_ms, error, final: true } as const;
    if (status === "denied" && view.refused.includes(tool_call_id))
      return { ...view, items: view.items.filter((item) => item !== row) };
    if (row === undefined)
      // It was never started: denied before it could run.
      return add(settled(view), {
        kind: "tool",
        key: tool_call_id,
        name: tool_name,
        args: argumentsOf(view.calls[tool_call_id]),
        since: now,
        ...ended,
      });
    if (row.kind === "tool" && row.name === TASK_TOOL && status === "ok") {
      const items = view.items.filter((item) => item !== row);
      return { ...view, items, tasks: tasksOf(row.args) ?? view.tasks };
    }
    return change(view, "tool", tool_call_id, (item) => ({ ...item, ...ended }));
  },
  tool_validation_error(view, { tool_call_id, tool_name, error, repaired }, { now }) {
    // Mended, it runs and has a row of its own.
    if (repaired === true) return view;
    const refused = { state: "invalid", elapsed: 0, error, final: true } as const;
    const args = argumentsOf(view.calls[tool_call_id]);
    return add(settled(view), {
      kind: "tool",
      key: tool_call_id,
      name: tool_name,
      args,
      since: now,
      ...refused,
    });
  },
  effect_verdict: (view, { tool_name, verdict, reason }, told) =>
    note(view, told, `${tool_name}: ${verdict.replaceAll("_", " ")}. ${reason}`, "warning"),
  transport_diagnostic: (view, { reason }, told) => note(view, told, reason, "warning"),
};

/** As the model wrote them, which may be no JSON. */
function argumentsOf(text = "{}"): Readonly<Record<string, unknown>> {
  try {
    const args = JSON.parse(text) as unknown;
    return typeof args === "object" && args !== null ? { ...args } : { arguments: args };
  } catch {
    return { arguments: text };
  }
}

/** The list that the call sets; undefined when it is none. */
function tasksOf({ tasks }: Readonly<Record<string, unknown>>): readonly Task[] | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return tasks.flatMap((task: unknown) => {
    const { title, status } = (task ?? {}) as Partial<Task>;
    return typeof title === "string" && typeof status === "string" ? [{ title, status }] : [];
  });
}

/** What still ran when the turn ended is not known to have ended. */
export function abandoned(view: View): View {
  return {
    ...view,
    items: view.items.map((item) =>
      item.kind === "tool" && !item.final ? { ...item, state: "lost" as const, final: true } : item,
    ),
  };
}
