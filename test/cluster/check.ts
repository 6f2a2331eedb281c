/** An event of the log, and what the database itself saw when it was committed. */
export interface Seen {
  readonly stream: string;
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [key: string]: unknown };
  /** The epoch of the stream's lease at that moment. */
  readonly epoch: number;
  /** The connection's name: one for each life of a process. */
  readonly by: string;
}

/** A lease that was given out. */
export interface Given {
  readonly stream: string;
  readonly epoch: number;
  readonly by: string;
}

/** A line of the ledger: an effect that took place, whatever the log says. */
export interface Effect {
  readonly session: string;
  readonly call: string;
}

export interface Chronicle {
  /** In the order of commits. */
  readonly events: readonly Seen[];
  readonly leases: readonly Given[];
  readonly ledger: readonly Effect[];
}

const ENDED: ReadonlySet<unknown> = new Set(["completed", "needs_review", "failed", "cancelled"]);

/** Written only by whoever drives a session. */
const DRIVEN = /^(agent\.|runtime\.(request\.|turn\.(resumed|ended)|effect\.verdict|question\.asked))/;

type Rule = (record: Chronicle) => string[];

/** What does not hold, in sentences; nothing where all of it does. */
export function violations(record: Chronicle): string[] {
  return RULES.flatMap((rule) => rule(record));
}

const noGap: Rule = ({ events }) => {
  const ids = new Set<string>();
  const heads = new Map<string, number>();
  const found: string[] = [];
  for (const { stream, seq, id } of events) {
    const expected = (heads.get(stream) ?? 0) + 1;
    if (seq !== expected) found.push(`${stream}: ${seq} comes where ${expected} should`);
    heads.set(stream, seq);
    if (ids.has(id)) found.push(`${stream}: ${id} is there twice`);
    ids.add(id);
  }
  return found;
};

const epochsGrow: Rule = ({ events, leases }) => {
  const found: string[] = [];
  const given = new Map<string, number>();
  for (const { stream, epoch } of leases) {
    if (epoch <= (given.get(stream) ?? 0))
      found.push(`${stream}: epoch ${epoch} was given out late or twice`);
    given.set(stream, epoch);
  }
  const written = new Map<string, number>();
  for (const { stream, seq, epoch } of events) {
    if (epoch < (written.get(stream) ?? 0))
      found.push(`${stream}/${seq}: of an older epoch than the one before`);
    written.set(stream, epoch);
  }
  return found;
};

const oneDriver: Rule = ({ events, leases }) => {
  const holders = new Map(leases.map(({ stream, epoch, by }) => [`${stream} ${epoch}`, by]));
  return events.flatMap(({ stream, seq, type, epoch, by }) => {
    if (!DRIVEN.test(type)) return [];
    const holder = holders.get(`${stream} ${epoch}`);
    return holder === by ? [] : [`${stream}/${seq}: ${type} by ${by}, while ${holder ?? "nobody"} drove it`];
  });
};

const everySessionEnds: Rule = ({ events }) => {
  const last = new Map<string, unknown>();
  for (const { stream, type, data } of events)
    if (type === "runtime.session.state") last.set(stream, data["status"]);
  return [...last].flatMap(([stream, status]) => (ENDED.has(status) ? [] : [`${stream}: is ${status}`]));
};

const decidedOnce: Rule = ({ events }) => {
  const asked = of(events, "runtime.question.asked").map(({ data }) => String(data["request_id"]));
  const decided = counted(
    of(events, "runtime.question.decided").map(({ data }) => String(data["request_id"])),
  );
  return asked.flatMap((id) => {
    const times = decided.get(id) ?? 0;
    return times === 1 ? [] : [`${id}: decided ${times} times`];
  });
};

const oneOutcome: Rule = ({ events }) => {
  const outcomes = counted(of(events, "agent.tool.outcome").map(callOf));
  const calls = new Set(of(events, "agent.tool.start").map(callOf));
  return [...calls].flatMap((call) => {
    const times = outcomes.get(call) ?? 0;
    return times === 1 ? [] : [`${call}: ${times} outcomes`];
  });
};

/** An effect takes place as often as the log says that it may have: once, and once more for each word to repeat it. */
const effectsOnce: Rule = ({ events, ledger }) => {
  const lines = counted(ledger.map(({ session, call }) => `${session} ${call}`));
  const again = counted([
    ...of(events, "runtime.effect.verdict")
      .filter(({ data }) => data["verdict"] === "rerun" || data["verdict"] === "safe")
      .map(callOf),
    ...runAgain(events),
  ]);
  const started = new Set(
    of(events, "agent.tool.batch").flatMap(({ stream, data }) =>
      (data["tool_call_ids"] as string[]).map((call) => `${stream} ${call}`),
    ),
  );
  const worked = of(events, "agent.tool.outcome").filter(
    ({ data }) => data["status"] === "ok" && data["tool_name"] !== "look",
  );
  return [
    ...[...lines].flatMap(([call, times]) => {
      const most = started.has(call) ? 1 + (again.get(call) ?? 0) : 0;
      return times <= most
        ? []
        : [`${call}: took effect ${times} times, and the log has a reason for ${most}`];
    }),
    ...worked.flatMap((event) =>
      lines.has(callOf(event)) ? [] : [`${callOf(event)}: is said to have worked, and did not take effect`],
    ),
  ];
};

/** The calls that a person said should run again, once for each time. */
function runAgain(events: readonly Seen[]): string[] {
  const asked = new Map(
    of(events, "runtime.question.asked").map((event) => [String(event.data["request_id"]), callOf(event)]),
  );
  return of(events, "runtime.question.decided").flatMap(({ data }) => {
    const answer = data["answer"] as { readonly outcome?: unknown } | undefined;
    return answer?.outcome === "run_again" ? (asked.get(String(data["request_id"])) ?? []) : [];
  });
}

const RULES: readonly Rule[] = [
  noGap,
  epochsGrow,
  oneDriver,
  everySessionEnds,
  decidedOnce,
  oneOutcome,
  effectsOnce,
];

function of(events: readonly Seen[], type: string): Seen[] {
  return events.filter((event) => event.type === type);
}

/** Models name their calls, so a name means something only in its session. */
function callOf({ stream, data }: Seen): string {
  return `${stream} ${String(data["tool_call_id"])}`;
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
