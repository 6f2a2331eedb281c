import type { AhpEvent, BlockingType, EventType } from "@fairlead/ahp";
import { FAIL_CLOSED, isBlocking } from "@fairlead/ahp";
import type { AnswerSource, NewEvent } from "@fairlead/contract";
import type { PolicyInput } from "../../domain/policy/input.ts";
import type { Guard } from "../../domain/supervision/guards.ts";
import { changedPayload, isFinal, isHollow, strictest, taskOf } from "../../domain/supervision/strictest.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import { answerRecords, askedRecord, objectionData } from "./chain-records.ts";
import type { External } from "./external.ts";
import type { Rules } from "./rules.ts";

/** Rounds in which a payload may be changed before somebody must be wrong. */
const MAX_ROUNDS = 4;
/** Speaks where no rule did. */
const DEFAULT = "rules";

export interface Case {
  /** Names the question in the log; undefined where nobody outside is asked and it has no record of its own. */
  readonly supervision_id: string | undefined;
  readonly event: AhpEvent;
  /** The call of a run of our own. */
  readonly tool_call_id?: string;
  /** All that rules decide from, with this event in it. */
  readonly input: (event: AhpEvent) => PolicyInput;
  /** What is left of the time in which the agent must be answered. */
  readonly leftMs: () => number;
  /** Called with what the rules alone make of it: the first time before anything else can be judged. */
  readonly heard: (decision: AnyDecision | undefined) => void;
  /**
   * Called before anybody outside is asked, with the records of that. Awaited before their answers count. True: they are
   * durable now, and not for the caller to write again.
   */
  readonly beforeAsking: (asked: readonly NewEvent[]) => Promise<boolean>;
  /** The question has a record of its own, which has the payload. */
  readonly isRecorded: boolean;
}

export interface Judgement {
  /** Undefined: nobody here answers this event type. */
  readonly decision: AnyDecision | undefined;
  /** `rule:ID`, `builtin:ID`, `rules` for a default, or the supervisor's name. */
  readonly by: string;
  readonly source: AnswerSource;
  /** As the decision leaves it. */
  readonly payload: unknown;
  /** For the log, in order. */
  readonly records: readonly NewEvent[];
}

/** Whether a person's yes still counts, by the rules in force now. */
export type Recheck =
  | { readonly kind: "stands" }
  /** The rules make something else of it: everybody must be asked again. */
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly judgement: Judgement };

interface Voice {
  readonly by: string;
  readonly source: AnswerSource;
  readonly decision: AnyDecision;
}

/** A question on its way through the rounds. */
interface Rounds {
  round: number;
  readonly records: NewEvent[];
  /** What a rule has changed it does not change again; all others judge what it made. */
  readonly applied: Set<string>;
  payload: unknown;
  /** Who made the payload what it is. */
  changer: Voice | undefined;
}

interface ChainDeps {
  readonly rules: Rules;
  readonly guards: readonly Guard[];
  readonly externals: readonly External[];
}

/**
 * Rules first, with the guards that no rule can overrule, then every external supervisor that answers for the type, all at once. A block ends it.
 * A changed payload is judged again by all of them, and only what nobody changes any more is weighed:
 * then the strictest answer wins.
 */
export function createChain({ rules, externals, guards }: ChainDeps) {
  /** What is asked outside, if the rules leave anything to ask. */
  const asked = (event: AhpEvent): readonly External[] => externals.filter((one) => one.answersFor(event));

  /** Without a pause where there is nobody to ask, so that answers keep the order of their questions. */
  function judge(matter: Case): Judgement | Promise<Judgement> {
    return goOn(matter, {
      round: 0,
      records: [],
      applied: new Set(),
      payload: matter.event.payload,
      changer: undefined,
    });
  }

  function goOn(matter: Case, course: Rounds): Judgement | Promise<Judgement> {
    const type = matter.event.event_type;
    const { records, applied } = course;
    for (; course.round < MAX_ROUNDS; course.round++) {
      const { payload } = course;
      const event = course.round === 0 ? matter.event : { ...matter.event, payload };
      const voices = ownVoices(matter, event, records, applied);
      const own = strictest(type, voices);
      matter.heard(own?.decision);
      const done = own !== undefined && isFinal(type, own.decision);
      const isOpen = !done && changeBy(type, voices, payload) === undefined;
      if (isOpen && asked(event).length > 0) return withOutside(matter, course, event, voices);
      const judgement = weighed(matter, course, voices);
      if (judgement !== undefined) return judgement;
    }
    return {
      ...refusal(type, `The payload was changed more than ${MAX_ROUNDS - 1} times.`),
      payload: course.payload,
      records,
    };
  }

  async function withOutside(
    matter: Case,
    course: Rounds,
    event: AhpEvent,
    voices: readonly Voice[],
  ): Promise<Judgement> {
    const outside = await askOutside(matter, event, course.round, course.records);
    // Of equals the first wins: a rule before the supervisors, and the rules' default after them.
    const all = [
      ...voices.filter(({ by }) => by !== DEFAULT),
      ...outside,
      ...voices.filter(({ by }) => by === DEFAULT),
    ];
    const judgement = weighed(matter, course, all);
    if (judgement !== undefined) return judgement;
    course.round += 1;
    return goOn(matter, course);
  }

  /** Rules alone, and at once: supervisors have just been asked, and the agent will not wait for them twice. */
  function recheck(matter: Case, payload: unknown): Recheck {
    const type = matter.event.event_type;
    const records: NewEvent[] = [];
    const voices = ownVoices(matter, { ...matter.event, payload }, records);
    const own = strictest(type, voices);
    if (own !== undefined && isFinal(type, own.decision))
      return { kind: "refused", judgement: { ...own, payload, records } };
    return { kind: changeBy(type, voices, payload) === undefined ? "stands" : "changed" };
  }

  /** What the rules alone make of the payload, when each has changed it once; undefined when they refuse it. */
  function settle(matter: Case): { readonly payload: unknown } | undefined {
    const type = matter.event.event_type;
    const applied = new Set<string>();
    let { payload } = matter.event;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const voices = ownVoices(matter, { ...matter.event, payload }, [], applied);
      const own = strictest(type, voices);
      if (own !== undefined && isFinal(type, own.decision)) return undefined;
      const change = changeBy(type, voices, payload);
      if (change === undefined) return { payload };
      payload = change.payload;
    }
    return undefined;
  }

  function ownVoices(
    { input, supervision_id, isRecorded }: Case,
    event: AhpEvent,
    records: NewEvent[],
    applied?: Set<string>,
  ): Voice[] {
    const common = {
      type: "runtime.policy.decision",
      agent_id: event.agent_id,
      ...(isRecorded && supervision_id !== undefined ? { cause: supervision_id } : {}),
    } as const;
    const given = input(event);
    const { decision, rule_id, data } = rules.judge(given, applied);
    records.push({ ...common, data });
    const voices: Voice[] = [];
    if (decision !== undefined)
      voices.push({ by: rule_id === null ? DEFAULT : `rule:${rule_id}`, source: "rules", decision });
    for (const objection of guards.map((guard) => guard(given)).filter((one) => one !== undefined)) {
      records.push({ ...common, data: objectionData(event, objection, rules.hash) });
      voices.push({ by: objection.id, source: "rules", decision: objection.decision });
    }
    return voices;
  }

  async function askOutside(
    matter: Case,
    event: AhpEvent,
    round: number,
    records: NewEvent[],
  ): Promise<Voice[]> {
    const all = asked(event);
    const questions = all.map((one) => askedRecord(matter, event, round, one));
    const durable = matter.beforeAsking(questions);
    // Awaited below. Until then a log that is lost must not end the process.
    durable.catch(() => {});
    const answers = await Promise.all(all.map((one) => one.ask(event, Math.max(1, matter.leftMs()))));
    if (!(await durable)) records.push(...questions);
    records.push(...answers.flatMap((answer) => answerRecords(matter, event, round, answer)));
    return answers.filter((answer) => !answer.abstains);
  }

  return { judge, recheck, settle };
}

/** What a round comes to; undefined when somebody has changed the payload, and it is to be judged again. */
function weighed(matter: Case, course: Rounds, voices: readonly Voice[]): Judgement | undefined {
  const type = matter.event.event_type;
  const { payload, records, changer } = course;
  const winner = strictest(type, voices);
  if (winner === undefined) return { decision: undefined, by: DEFAULT, source: "rules", payload, records };
  const change = changeBy(type, voices, payload);
  if (change === undefined || isFinal(type, winner.decision)) {
    // What nobody objects to was decided by who made it what it is.
    const { by, source } = winner.by === DEFAULT ? (changer ?? winner) : winner;
    return { ...settled(matter, { ...winner, by, source }, payload), records };
  }
  course.changer = voices.find((voice) => changedPayload(type, voice.decision, payload) !== undefined);
  course.payload = change.payload;
  return undefined;
}

function changeBy(type: EventType, voices: readonly Voice[], payload: unknown) {
  return voices.map((voice) => changedPayload(type, voice.decision, payload)).find(Boolean);
}

/** The winner's decision as the agent gets it: an allowed payload that was changed on the way is a modification. */
function settled(matter: Case, winner: Voice, payload: unknown): Omit<Judgement, "records"> {
  const { by, source } = winner;
  const { decision, modified_payload: _, ...rest } = winner.decision;
  if (decision !== "allow" && decision !== "modify")
    return { decision: winner.decision, by, source, payload };
  if (isHollow(matter.event.event_type, winner.decision)) {
    return {
      ...refusal(matter.event.event_type, "The change of the payload does not say to what."),
      payload,
    };
  }
  if (matter.event.event_type === "planning") {
    const own = planned(matter.event.payload, payload, winner.decision);
    return { decision: own, by, source, payload };
  }
  return { decision: given(matter.event.payload, payload, rest), by, source, payload };
}

/** A task that was changed on the way stays changed: an agent that only hears `allow` would do what it came with. */
function planned(original: unknown, payload: unknown, decision: AnyDecision): AnyDecision {
  if (original === payload) return decision;
  const { hints } = decision;
  return {
    decision: "modify",
    modified_task: taskOf(payload),
    ...(decision.decision === "modify" && hints !== undefined ? { hints } : {}),
  };
}

function given(original: unknown, payload: unknown, rest: Readonly<Record<string, unknown>>): AnyDecision {
  return original === payload
    ? { decision: "allow", ...rest }
    : { decision: "modify", ...rest, modified_payload: payload };
}

function refusal(type: string, reason: string): Pick<Judgement, "decision" | "by" | "source"> {
  const kind = type as BlockingType;
  const decision = isBlocking(kind) ? FAIL_CLOSED[kind](reason) : { decision: "block", reason };
  return { decision: decision as AnyDecision, by: "fairlead", source: "invalid" };
}
