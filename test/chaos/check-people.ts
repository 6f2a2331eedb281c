import type { AnyEvent } from "@fairlead/contract";

interface Said {
  /** How often people said of each call that it is to run again, and the log says that it does. */
  readonly leave: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
}

/**
 * That a call runs again is a person's word: each verdict of it needs a decision of its own, about that call, before it.
 * What the runtime says about itself is no leave.
 */
export function saidByPeople(events: readonly AnyEvent[]): Said {
  const asked = new Map<unknown, string>();
  const words = new Map<string, number>();
  const leave = new Map<string, number>();
  const problems: string[] = [];
  for (const event of events) {
    const { tool_call_id, request_id, verdict, ...data } = event.data as Readonly<Record<string, unknown>>;
    const call = String(tool_call_id);
    if (event.type === "runtime.question.asked" && data["kind"] === "user_input") asked.set(request_id, call);
    if (event.type === "runtime.question.decided" && wantsAgain(data)) {
      const about = asked.get(request_id) ?? "";
      words.set(about, (words.get(about) ?? 0) + 1);
      asked.delete(request_id);
    }
    if (event.type !== "runtime.effect.verdict" || verdict !== "run_again") continue;
    const left = words.get(call) ?? 0;
    if (left === 0) problems.push(`${call} is to run again, and no person said so`);
    else {
      words.set(call, left - 1);
      leave.set(call, (leave.get(call) ?? 0) + 1);
    }
  }
  return { leave, problems };
}

function wantsAgain({ decision, answer }: Readonly<Record<string, unknown>>): boolean {
  const said =
    typeof answer === "object" && answer !== null ? (answer as { outcome?: unknown }).outcome : answer;
  return decision === "approved" && said === "run_again";
}
