import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { FairleadError, type NewEvent } from "@fairlead/contract";
import type { PolicyInput } from "../../domain/policy/input.ts";
import type { Guard } from "../../domain/supervision/guards.ts";
import { policyInput } from "../../domain/supervision/input.ts";
import { CHAIN, count, historyOf } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Timers } from "../../ports/timers.ts";
import { refused } from "../refusal.ts";
import { appendToSystem } from "../system-stream.ts";
import type { Questions } from "../types.ts";
import { createByPerson } from "./by-person.ts";
import { type Case, createChain, type Judgement, type Recheck } from "./chain.ts";
import type { Course, Manner, Subject } from "./course.ts";
import { createCrowd } from "./crowd.ts";
import { createDecisions } from "./decisions.ts";
import type { External } from "./external.ts";
import type { Delivery } from "./holds.ts";
import type { SupervisionLimits } from "./limits.ts";
import { asksPerson, waitingAnswer } from "./person.ts";
import { type Answer, answeredRecord, askedRecord } from "./records.ts";
import type { Rules } from "./rules.ts";

export interface SupervisionDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly questions: Questions;
  readonly rules: Rules;
  readonly guards: readonly Guard[];
  readonly externals: readonly External[];
  readonly limits: SupervisionLimits;
  /** Must not throw. */
  readonly report: (error: unknown) => void;
}

/**
 * Answers an agent's questions. Invariants:
 * 1. An answer is given only after it, and what led to it, is durable.
 * 2. Without a valid answer from everybody who must be asked, the answer is a refusal.
 * 3. A person's approval is handed over once.
 */
export interface Supervision {
  /** Undefined: nobody here answers this event type. Rejects when the log does not take it; that is no yes. */
  decide(subject: Subject, event: AhpEvent, manner: Manner): Promise<AnyDecision | undefined>;
}

export function createSupervision(deps: SupervisionDeps): Supervision {
  const { log, clock, ids, limits } = deps;
  const chain = createChain(deps);
  const underWay = createCrowd();

  function input(course: Course, event: AhpEvent): PolicyInput {
    const { tally, workspace } = course.subject;
    const underWay = tally.claimed - (course.hasClaim ? 1 : 0);
    course.history ??= historyOf(tally, underWay);
    const { history } = course;
    return policyInput({
      event,
      tally,
      underWay,
      history,
      budget: limits.budget,
      workspace,
      now: clock.now(),
    });
  }

  /** What rules let pass counts from now on, and what they do not, no longer. */
  function claim(course: Course, passes: boolean): void {
    const wanted = passes && course.type === "pre_action";
    if (wanted === course.hasClaim) return;
    course.hasClaim = wanted;
    course.subject.tally.claimed += wanted ? 1 : -1;
  }

  async function write(
    course: Course,
    more: readonly NewEvent[],
    keys: readonly string[] = [],
  ): Promise<boolean> {
    const events = [...course.pending, ...more];
    course.pending = [];
    if (events.length === 0) return true;
    const appended = await log.append({ writes: [{ stream: course.subject.stream, events }], keys });
    if (appended.ok) {
      tellSystem(events);
      return true;
    }
    if (appended.refusal.code !== "key_taken" || keys.length === 0) throw refused(appended.refusal);
    // Whatever else was to be written is still to be.
    course.pending = events.slice(0, events.length - more.length);
    return false;
  }

  /** A supervisor that is lost concerns the installation, not only the session that noticed. */
  function tellSystem(events: readonly NewEvent[]): void {
    const changes = events.filter((event) => event.type === "runtime.transport.diagnostic");
    if (changes.length > 0) appendToSystem(log, changes, []).catch(deps.report);
  }

  async function judge(course: Course, event: AhpEvent): Promise<Judgement> {
    const judgement = await chain.judge(caseOf(course, event));
    claim(course, judgement.decision !== undefined && lets(judgement.decision));
    course.pending.push(...judgement.records);
    return judgement;
  }

  function caseOf(course: Course, event: AhpEvent): Case {
    return {
      supervision_id: course.supervision_id,
      event,
      input: (changed) => input(course, changed),
      leftMs: () => leftMs(course),
      heard: (decision) => claim(course, decision === undefined || lets(decision)),
      async beforeAsking() {
        await write(course, []);
        return false;
      },
      isRecorded: true,
    };
  }

  /** Called right before a person's yes is handed over, which counts from then on. */
  function recheck(course: Course, payload: unknown): Recheck {
    const found = chain.recheck(caseOf(course, course.event), payload);
    claim(course, found.kind === "stands");
    return found;
  }

  function leftMs({ start }: Course): number {
    return Math.max(0, start + limits.answerMs - clock.now());
  }

  async function answer(
    course: Course,
    given: Answer,
    deliveries: readonly Delivery[] = [],
  ): Promise<boolean> {
    const record = answeredRecord(course, given, clock.now() - course.start);
    const done = await write(
      course,
      [record, ...deliveries.map(({ event }) => event)],
      deliveries.map(({ key }) => key),
    );
    if (done) {
      count(course.subject.tally, record, clock.now());
      claim(course, false);
    }
    return done;
  }

  const byPerson = createByPerson({
    ...deps,
    decisions: createDecisions(log),
    judge,
    recheck,
    write,
    answer,
    leftMs,
  });

  async function settle(course: Course, asked: NewEvent): Promise<AnyDecision | undefined> {
    const { subject, event, type, start } = course;
    const judging = judge(course, event);
    // Only now: rules were asked at once, and this event does not count for itself.
    count(subject.tally, asked, start);
    const judgement = await judging;
    const { decision, source, by } = judgement;
    if (decision === undefined) {
      await answer(course, { decision: { decision: "unsupported" }, source, by });
      return undefined;
    }
    if (asksPerson(type, decision)) return byPerson(course, judgement);
    if (!(await answer(course, { decision, source, by }))) throw new FairleadError("internal");
    return decision;
  }

  /** One agent that asks too much at once must not keep the others waiting. */
  async function turnAway(course: Course): Promise<AnyDecision> {
    const reason = "Too many questions of this agent are under way.";
    const decision = waitingAnswer(course.type, limits.retryAfterMs, reason);
    await answer(course, { decision, source: "waiting", by: CHAIN, reason });
    return decision;
  }

  return {
    async decide(subject, event, manner) {
      const start = clock.now();
      const supervision_id = ids.next("supervision");
      const asked = askedRecord(supervision_id, event, limits.answerMs);
      const type = event.event_type as BlockingType;
      const course: Course = {
        subject,
        event,
        type,
        manner,
        supervision_id,
        start,
        pending: [asked],
        hasClaim: false,
        history: undefined,
      };
      if (underWay.of(subject.caller) >= limits.maxInFlight) return turnAway(course);
      try {
        return await underWay.during(subject.caller, () => settle(course, asked));
      } finally {
        claim(course, false);
      }
    },
  };
}

function lets({ decision }: AnyDecision): boolean {
  return decision === "allow" || decision === "modify";
}
