// What must hold of a log after its process was killed and another went on. Pure: a list of what does not.
import type { AnyEvent } from "@fairlead/contract";
import { saidByPeople } from "./check-people.ts";
import { dataOf, type End, endOf } from "./end.ts";
import type { Files } from "./files.ts";
import type { Deed } from "./ledger.ts";
import type { WholeLog } from "./read-log.ts";

export interface Run {
  readonly log: WholeLog;
  readonly deeds: readonly Deed[];
  readonly files?: Files;
}

/** `killed`: as each process that died left it. `end`: what the run comes to that nobody disturbs. */
export function check(run: Run, killed: readonly WholeLog[], end: End): readonly string[] {
  const { log, deeds } = run;
  return [
    ...brokenChains(log),
    ...killed.flatMap((before) => lostEvents(before, log)),
    ...doubledEvents(log),
    ...log.streams.flatMap(({ id, base_seq }) => {
      const own = log.events.filter(({ stream }) => stream === id);
      const done = deeds.filter(({ session_id }) => session_id === id);
      return checkStream(own, base_seq, done, killed.length).map((problem) => `${id}: ${problem}`);
    }),
    ...otherEnd(endOf(log, deeds, run.files), end),
  ];
}

/** What must hold of one session, however many processes drove it and died. */
export function checkStream(
  events: readonly AnyEvent[],
  base: number,
  deeds: readonly Deed[],
  deaths: number,
): readonly string[] {
  return [
    ...gaps(events, base),
    ...openTurns(events),
    ...openCalls(events),
    ...openQuestions(events),
    ...askedAgain(events, deaths),
    ...silentDeeds(events, deeds),
  ];
}

function brokenChains({ broken }: WholeLog): readonly string[] {
  return broken.map(({ stream, seq, reason }) => `${stream}: the chain is broken at ${seq}: ${reason}`);
}

/** Whatever was there when the process died is there now, as it was. */
function lostEvents(before: WholeLog, { events }: WholeLog): readonly string[] {
  const now = new Map(events.map((event) => [event.id as string, JSON.stringify(event)]));
  return before.events.flatMap((event) => {
    const found = now.get(event.id);
    if (found === undefined) return [`${event.type} ${event.id} is lost`];
    return found === JSON.stringify(event) ? [] : [`${event.type} ${event.id} has changed`];
  });
}

function doubledEvents({ events }: WholeLog): readonly string[] {
  return twice(events.map(({ id }) => id)).map((id) => `the id ${id} is there twice`);
}

function gaps(events: readonly AnyEvent[], base: number): readonly string[] {
  return events.flatMap(({ seq }, i) =>
    seq === base + 1 + i ? [] : [`${seq} is where ${base + 1 + i} goes`],
  );
}

function openTurns(events: readonly AnyEvent[]): readonly string[] {
  const ends = textsOf(
    dataOf(events, "runtime.turn.ended").filter(({ status }) => status !== "parked"),
    "turn_id",
  );
  return textsOf(dataOf(events, "runtime.request.started"), "turn_id").flatMap((turn) => {
    const times = ends.filter((end) => end === turn).length;
    return times === 1 ? [] : [`the turn ${turn} has ended ${times} times`];
  });
}

/** One outcome for each call that was decided to run, and never two. */
function openCalls(events: readonly AnyEvent[]): readonly string[] {
  const outcomes = textsOf(dataOf(events, "agent.tool.outcome"), "tool_call_id");
  const started = new Set(textsOf(dataOf(events, "agent.tool.start"), "tool_call_id"));
  return [
    ...[...started].filter((call) => !outcomes.includes(call)).map((call) => `${call} has no outcome`),
    ...twice(outcomes).map((call) => `${call} has two outcomes`),
  ];
}

/** Everything that was asked was decided, once. */
function openQuestions(events: readonly AnyEvent[]): readonly string[] {
  const ids = textsOf(dataOf(events, "runtime.question.asked"), "request_id");
  const decided = textsOf(dataOf(events, "runtime.question.decided"), "request_id");
  return [
    ...ids.filter((id) => !decided.includes(id)).map((id) => `${id} is open`),
    ...decided.filter((id) => !ids.includes(id)).map((id) => `${id} was never asked`),
    ...twice(decided).map((id) => `${id} is decided twice`),
  ];
}

/** Leave for a call is asked for once; what became of it, at most once for each process that died. */
function askedAgain(events: readonly AnyEvent[], deaths: number): readonly string[] {
  const asked = dataOf(events, "runtime.question.asked");
  const about = asked.map(({ tool_call_id, kind }) => `${String(tool_call_id)} (${String(kind)})`);
  return [...new Set(about)].flatMap((call) => {
    const times = about.filter((one) => one === call).length;
    const most = call.endsWith("(approval)") ? 1 : deaths;
    return times > most ? [`a person was asked about ${call} ${times} times`] : [];
  });
}

/** Nothing runs again that the log does not say so of; what must not run twice does only where a person said so. */
function silentDeeds(events: readonly AnyEvent[], deeds: readonly Deed[]): readonly string[] {
  const starts = dataOf(events, "agent.tool.start");
  const verdicts = dataOf(events, "runtime.effect.verdict");
  const refused = dataOf(events, "agent.tool.outcome").filter(({ status }) => status === "denied");
  const people = saidByPeople(events);
  const calls = new Set(deeds.map(({ tool_call_id }) => tool_call_id));
  const silent = [...calls].flatMap((call) => {
    const effect = starts.find(({ tool_call_id }) => tool_call_id === call)?.["effect"];
    if (effect === undefined) return [`${call} ran, and the log does not say so`];
    if (refused.some(({ tool_call_id }) => tool_call_id === call)) return [`${call} ran, and was denied`];
    const own = verdicts.filter(({ tool_call_id }) => tool_call_id === call);
    const leave =
      effect === "once"
        ? (people.leave.get(call) ?? 0)
        : own.filter(({ verdict }) => verdict === "safe" || verdict === "rerun").length;
    const times = deeds.filter(({ tool_call_id }) => tool_call_id === call).length;
    return times > 1 + leave ? [`${call} (${effect}) ran ${times} times, with leave for ${1 + leave}`] : [];
  });
  return [...people.problems, ...silent];
}

function otherEnd(end: End, wanted: End): readonly string[] {
  if (end.sessions.length !== wanted.sessions.length)
    return [`there are ${end.sessions.length} sessions and not ${wanted.sessions.length}`];
  return end.sessions.flatMap((session, i) =>
    Object.entries(wanted.sessions[i] ?? {}).flatMap(([name, value]) => {
      const [is, should] = [JSON.stringify(session[name as keyof typeof session]), JSON.stringify(value)];
      return is === should ? [] : [`the ${name} of session ${i + 1} are ${is} and not ${should}`];
    }),
  );
}

function textsOf(list: readonly Record<string, unknown>[], name: string): readonly string[] {
  return list.map((data) => String(data[name]));
}

function twice(list: readonly string[]): readonly string[] {
  return [...new Set(list.filter((item, i) => list.indexOf(item) !== i))];
}
