import type { AnyEvent } from "@fairlead/contract";
import type { Files } from "./files.ts";
import type { Deed } from "./ledger.ts";
import type { WholeLog } from "./read-log.ts";

/** What a run came to: what must be the same whether its process was killed or not. Names and times are left out. */
export interface End {
  readonly sessions: readonly SessionEnd[];
}

interface SessionEnd {
  readonly kind: string;
  readonly branch: boolean;
  readonly status: unknown;
  readonly turns: readonly string[];
  /** Tool and outcome of each call, in the order of their ids. */
  readonly calls: readonly string[];
  readonly decisions: readonly string[];
  /** Of steps and of the end. */
  readonly checkpoints: readonly string[];
  /** How often each of the facts that a kill can neither add to nor take from. */
  readonly facts: Readonly<Record<string, number>>;
  /** Calls that took effect outside. */
  readonly deeds: readonly string[];
  /** Where it works: paths, and hashes of what is there. */
  readonly files: readonly string[];
}

/** Others come again when a process takes over: starts of calls, states, health, checkpoints of waits, words half said. */
const FACTS: readonly string[] = [
  "runtime.input.queued",
  "runtime.request.started",
  "runtime.request.completed",
  "runtime.request.failed",
  "agent.output.completed",
  "agent.usage",
  "agent.tool.outcome",
  "agent.context.compacted",
  "runtime.artifact.created",
  "runtime.cognition.summary",
];

/** In the order in which the sessions began. */
export function endOf({ events, streams }: WholeLog, deeds: readonly Deed[], files: Files = {}): End {
  return {
    sessions: streams.map(({ id, kind, parent }) => {
      const own = events.filter(({ stream }) => stream === id);
      return {
        kind,
        branch: parent !== null,
        status: dataOf(own, "runtime.session.state").at(-1)?.["status"],
        turns: turnsOf(own),
        calls: dataOf(own, "agent.tool.outcome").map(callOf).toSorted(),
        decisions: decisionsOf(own),
        checkpoints: checkpointsOf(own),
        facts: Object.fromEntries(
          FACTS.map((type) => [type, own.filter((event) => event.type === type).length]),
        ),
        deeds: [
          ...new Set(
            deeds
              .filter(({ session_id }) => session_id === id)
              .map((deed) => `${deed.tool_call_id} ${deed.tool}`),
          ),
        ].toSorted(),
        files: files[id] ?? [],
      };
    }),
  };
}

export function dataOf(events: readonly AnyEvent[], type: string): readonly Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map((event) => event.data as Record<string, unknown>);
}

function callOf({ tool_call_id, tool_name, status }: Record<string, unknown>): string {
  return `${String(tool_call_id)} ${String(tool_name)} ${String(status)}`;
}

function turnsOf(events: readonly AnyEvent[]): readonly string[] {
  const outputs = dataOf(events, "runtime.request.completed").map(({ output }) => String(output));
  const ends = dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked");
  return [...ends.map(({ status }) => String(status)), ...outputs];
}

/** What a process left open is asked about on top of these. */
function decisionsOf(events: readonly AnyEvent[]): readonly string[] {
  return dataOf(events, "runtime.question.decided")
    .filter(({ kind }) => kind === "approval")
    .map(({ tool_name, decision }) => `${String(tool_name)} ${String(decision)}`);
}

/** Waits and takings-over have theirs too. */
const OF_WAITS: readonly unknown[] = ["approval", "recovering", "paused", "resumed"];

function checkpointsOf(events: readonly AnyEvent[]): readonly string[] {
  return dataOf(events, "runtime.session.checkpoint")
    .filter(({ checkpoint_type }) => !OF_WAITS.includes(checkpoint_type))
    .map(({ checkpoint_type }) => String(checkpoint_type));
}
