import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { FairleadError, type NewEvent } from "@fairlead/contract";
import type { PolicyInput } from "../../domain/policy/input.ts";
import { count, historyOf, statsOf, usedBy } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Timers } from "../../ports/timers.ts";
import { refused } from "../refusal.ts";
import { appendToSystem } from "../system-stream.ts";
import type { Questions } from "../types.ts";
import { createByPerson } from "./by-person.ts";
import { createChain, type Judgement } from "./chain.ts";
import type { Course, Manner, Subject } from "./course.ts";
import { createDecisions } from "./decisions.ts";
import type { External } from "./external.ts";
import type { Delivery } from "./holds.ts";
import type { SupervisionLimits } from "./limits.ts";
import { asksPerson } from "./person.ts";
import { type Answer, answeredRecord, askedRecord } from "./records.ts";
import type { Rules } from "./rules.ts";

export interface SupervisionDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly questions: Questions;
  readonly rules: Rules;
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

  function input({ tally, workspace }: Subject, event: AhpEvent): PolicyInput {
    const now = clock.now();
    const { events, tools, decisions } = historyOf(tally);
    return {
      event,
      stats: statsOf(tally, now),
      budget: { limits: limits.budget, used: usedBy(tally, now) },
      // Copied: the event in question must not count, also when it is judged again later.
      history: { events: { ...events }, tools: { ...tools }, decisions: { ...decisions } },
      ...(workspace === undefined ? {} : { workspace }),
    };
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
    const first = input(course.subject, event);
    const judgement = await chain.judge({
      supervision_id: course.supervision_id,
      event,
      input: (changed) => (changed === event ? first : { ...first, event: changed }),
      leftMs: () => leftMs(course),
      beforeAsking: async () => void (await write(course, [])),
    });
    course.pending.push(...judgement.records);
    return judgement;
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
    if (done) count(course.subject.tally, record, clock.now());
    return done;
  }

  const byPerson = createByPerson({ ...deps, decisions: createDecisions(log), judge, write, answer, leftMs });

  return {
    async decide(subject, event, manner) {
      const start = clock.now();
      const supervision_id = ids.next("supervision");
      const asked = askedRecord(supervision_id, event, limits.answerMs);
      const type = event.event_type as BlockingType;
      const course: Course = { subject, event, type, manner, supervision_id, start, pending: [asked] };
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
    },
  };
}
