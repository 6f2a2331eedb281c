import type { DirectCall } from "../../domain/direct.ts";
import { OUTCOME_OPTIONS, RECOVERY_ORIGIN } from "../../domain/lost-outcome.ts";
import type { StoredSession } from "../../domain/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { ToolArguments } from "../../ports/tool.ts";
import { modesFrom } from "../loop/context.ts";
import { everyRow } from "../rows.ts";
import type { Questions } from "../types.ts";
import { wholeData } from "../whole.ts";
import { endKey, type DirectRequest } from "./direct.ts";
import { completed, ended, verdict, writeLost } from "./lost-events.ts";
import type { Presence } from "./presence.ts";

export interface LostDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly questions: Pick<Questions, "prepare">;
  /** Whether this process runs it at this moment. */
  readonly runs: (request_id: string) => boolean;
  readonly presence: Pick<Presence, "isGone">;
  /** Runs it once more, as a person said. Resolves when it is under way. */
  readonly again: (
    row: DirectCall,
    args: ToolArguments,
    again: NonNullable<DirectRequest["again"]>,
  ) => Promise<void>;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

export interface LostCalls {
  /** A verdict for each direct call whose process was lost, and what people said of those. Returns how many. */
  recover(): Promise<number>;
  /** When the next call is lost that has no end by then; null when none runs. */
  nextDue(): Promise<number | null>;
}

const LOST = "The process was lost while this ran.";
const UNKNOWN = `${LOST} Whether it took effect is not known.`;

/**
 * Nothing runs twice in silence, and nothing is lost in silence: what changes nothing is ended, and about the rest a
 * person is asked. Nobody waits for the answer any more, so nothing is run again by itself.
 */
export function createLostCalls(deps: LostDeps): LostCalls {
  const { log, clock, questions, runs, presence, again, report } = deps;

  /** Where no other process writes, what this one does not run nobody runs; elsewhere not where who ran it is gone. */
  async function isLost({ state, until, holder }: DirectCall): Promise<boolean> {
    if (state === "decided" || !log.shared || until <= clock.now()) return true;
    return holder !== undefined && presence.isGone(holder);
  }

  async function argumentsOf({ session_id, started }: DirectCall, whole: boolean): Promise<ToolArguments> {
    const seq = started?.seq ?? 0;
    const sealed = whole ? await log.unseal(session_id, seq) : undefined;
    const [event] = (await log.read(session_id, { after: seq - 1, limit: 1 })).events;
    const data = sealed ?? (event && (await wholeData(log, session_id, event.data, event.blobs)));
    return (data as { arguments?: ToolArguments } | undefined)?.arguments ?? {};
  }

  async function judge(row: DirectCall): Promise<boolean> {
    if (row.started === null) return false;
    const { tool_name, tool_call_id, request_id, effect } = row;
    const key = endKey(row.started.id);
    if (effect === "none")
      return writeLost(
        log,
        row,
        [verdict(row, "safe", "It changes nothing, and nobody waits for it."), ended(row, LOST)],
        key,
      );
    const session = await log.row<StoredSession>("session", row.session_id);
    if (modesFrom(session?.state ?? null).approval_mode === "never")
      return writeLost(
        log,
        row,
        [verdict(row, "give_up", "It may have taken effect, and nobody may be asked."), ended(row, UNKNOWN)],
        key,
      );
    const { event } = questions.prepare({
      kind: "user_input",
      tool_name,
      tool_call_id,
      turn_id: request_id,
      reason: UNKNOWN,
      shown: { tool: tool_name, arguments: await argumentsOf(row, false), options: OUTCOME_OPTIONS },
      risk: "high",
      origin: RECOVERY_ORIGIN,
    });
    return writeLost(
      log,
      row,
      [verdict(row, "ask", "It may have taken effect, and nobody waits for it."), event],
      key,
    );
  }

  async function settle(row: DirectCall): Promise<boolean> {
    const { said, question } = row;
    if (said === null) return false;
    const key = `direct:${question}:settled`;
    const word = verdict(row, said.outcome, `${said.actor} decided.`);
    if (said.outcome === "run_again") {
      await again(row, await argumentsOf(row, true), { events: [word], key });
      return true;
    }
    const end =
      said.outcome === "happened"
        ? completed(row, `${LOST} ${said.actor} says that it happened.`)
        : ended(row, `${LOST} ${said.actor} gave it up: whether it happened is not known.`);
    return writeLost(log, row, [word, end], key);
  }

  return {
    async recover() {
      let found = 0;
      for await (const row of everyRow<DirectCall>(log, "direct", { state: ["running", "decided"] })) {
        if (runs(row.request_id)) continue;
        try {
          if (!(await isLost(row))) continue;
          if (await (row.state === "decided" ? settle(row) : judge(row))) found += 1;
        } catch (error) {
          // One that cannot be judged must not keep the others.
          report(error);
        }
      }
      return found;
    },
    async nextDue() {
      const query = { state: ["running"], oldest: true, scope: { owner: "any" }, limit: 1 } as const;
      return (await log.rows<DirectCall>("direct", query)).rows[0]?.until ?? null;
    },
  };
}
