import type { AnyEvent } from "@fairlead/contract";
import { checkStream } from "../chaos/check.ts";
import { dataOf } from "../chaos/end.ts";
import type { Deed } from "../chaos/ledger.ts";

/** An event of the log, and what the database itself saw when it was committed. */
export type Seen = AnyEvent & {
  /** The epoch of the stream's lease at that moment. */
  readonly epoch: number;
  /** The connection's name: one for each life of a process. */
  readonly by: string;
};

/** A lease that was given out. */
export interface Given {
  readonly stream: string;
  readonly epoch: number;
  readonly by: string;
}

export interface Chronicle {
  /** In the order of commits. */
  readonly events: readonly Seen[];
  readonly leases: readonly Given[];
  /** What took place outside, whatever the log says. */
  readonly deeds: readonly Deed[];
}

const ENDED: ReadonlySet<unknown> = new Set(["completed", "needs_review", "failed", "cancelled"]);

/** Written only by whoever drives a session. */
const DRIVEN = /^(agent\.|runtime\.(request\.|turn\.(resumed|ended)|effect\.verdict|question\.asked))/;

/** What does not hold, in sentences; nothing where all of it does. */
export function violations(chronicle: Chronicle): string[] {
  const { events, leases, deeds } = chronicle;
  const given = Map.groupBy(leases, ({ stream }) => stream);
  const done = Map.groupBy(deeds, ({ session_id }) => session_id);
  const found = [...Map.groupBy(events, ({ stream }) => stream)].flatMap(([stream, own]) =>
    [
      ...checkStream(own, 0, done.get(stream) ?? [], Infinity),
      ...epochsGrow(own, given.get(stream) ?? []),
      ...oneDriver(own, given.get(stream) ?? []),
      ...hasEnded(own),
      ...saidBefore(own, done.get(stream) ?? []),
      ...reallyDone(own, done.get(stream) ?? []),
    ].map((problem) => `${stream}: ${problem}`),
  );
  return [...twice(events), ...found];
}

function twice(events: readonly Seen[]): string[] {
  const ids = new Set<string>();
  return events.flatMap(({ id }) => (ids.has(id) ? [`${id} is there twice`] : (ids.add(id), [])));
}

function epochsGrow(events: readonly Seen[], leases: readonly Given[]): string[] {
  return [
    ...leases.flatMap(({ epoch }, i) =>
      epoch > (leases[i - 1]?.epoch ?? 0) ? [] : [`epoch ${epoch} was given out late or twice`],
    ),
    ...events.flatMap(({ seq, epoch }, i) =>
      epoch >= (events[i - 1]?.epoch ?? 0) ? [] : [`${seq} is of an older epoch than the one before`],
    ),
  ];
}

/** Whoever writes what a driver writes is the one who was given the lease of that moment. */
function oneDriver(events: readonly Seen[], leases: readonly Given[]): string[] {
  const holders = new Map(leases.map(({ epoch, by }) => [epoch, by]));
  return events.flatMap(({ seq, type, epoch, by }) => {
    const holder = holders.get(epoch);
    if (!DRIVEN.test(type) || holder === by) return [];
    return [`${seq}, ${type}, is by ${by}, while ${holder ?? "nobody"} drove it`];
  });
}

function hasEnded(events: readonly Seen[]): string[] {
  const status = dataOf(events, "runtime.session.state").at(-1)?.["status"];
  return ENDED.has(status) ? [] : [`is ${String(status)}`];
}

/** Nothing happens outside that the log did not say would begin. */
function saidBefore(events: readonly Seen[], deeds: readonly Deed[]): string[] {
  const begun = new Set(
    dataOf(events, "agent.tool.batch").flatMap(({ tool_call_ids }) => tool_call_ids as string[]),
  );
  return deeds.flatMap(({ tool_call_id }) =>
    begun.has(tool_call_id) ? [] : [`${tool_call_id} never began`],
  );
}

/** What is said to have worked has happened. */
function reallyDone(events: readonly Seen[], deeds: readonly Deed[]): string[] {
  const calls = new Set(deeds.map(({ tool_call_id }) => tool_call_id));
  const effects = new Map(
    dataOf(events, "agent.tool.start").map(({ tool_call_id, effect }) => [tool_call_id, effect]),
  );
  return dataOf(events, "agent.tool.outcome").flatMap(({ status, tool_call_id }) => {
    const isSaid = status === "ok" && effects.get(tool_call_id) !== "none";
    return isSaid && !calls.has(String(tool_call_id))
      ? [`${String(tool_call_id)} is said to have worked, and nothing happened`]
      : [];
  });
}
