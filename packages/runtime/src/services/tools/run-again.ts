import type { DirectCall } from "../../domain/direct.ts";
import type { StoredSession } from "../../domain/session.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Workspaces } from "../../ports/workspaces.ts";
import { isElsewhere } from "../workspaces/elsewhere.ts";
import { placeOfSession } from "../workspaces/of-session.ts";
import type { Roots } from "../workspaces/roots.ts";
import type { DirectRequest, DirectResult } from "./direct.ts";
import { completed, writeLost } from "./lost-events.ts";
import type { LostDeps } from "./lost.ts";

export interface RunAgainDeps {
  readonly log: EventLog;
  readonly roots: Roots;
  readonly workspaces?: Workspaces;
  readonly run: (request: DirectRequest) => Promise<DirectResult>;
  readonly ending: AbortSignal;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/** The same call under the same key, checked and permitted anew. What does not pass any more is ended, with why. */
export function createRunAgain(deps: RunAgainDeps): LostDeps["again"] {
  const { log, roots, workspaces, run, ending, report } = deps;
  return async (row, args, again) => {
    const { session_id, request_id, tool_call_id, tool_name, agent_id } = row;
    if (ending.aborted) return;
    const session = await log.row<StoredSession>("session", session_id);
    // Where its files are, somebody else hears of it too.
    if (log.shared && isElsewhere(session?.state?.workspace_host, workspaces?.host())) return;
    const { path: workspace } = await placeOfSession(workspaces, roots, session?.state ?? null);
    const call = { tool_call_id, name: tool_name, arguments: JSON.stringify(args) };
    const running = run({
      session_id,
      request_id,
      agent_id: agent_id ?? row.said?.actor ?? "",
      call,
      workspace,
      signal: ending,
      again,
    });
    // Nobody waits for it: it may take as long as the tool does.
    void running.then((result) => refuse(row, again, result)).catch(report);
  };

  async function refuse(
    row: DirectCall,
    { events, key }: NonNullable<DirectRequest["again"]>,
    result: DirectResult,
  ): Promise<void> {
    if (result.status === "ran") return;
    const error = result.status === "denied" ? result.reason : result.faults[0]?.error;
    await writeLost(log, row, [...events, completed(row, { status: "denied", error })], key);
  }
}
