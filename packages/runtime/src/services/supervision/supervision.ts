import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { FairleadError, type NewEvent, type QuestionId, type SessionId } from "@fairlead/contract";
import type { PolicyInput } from "../../domain/policy/input.ts";
import { CHAIN, count, historyOf, statsOf, type Tally, usedBy } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Timers } from "../../ports/timers.ts";
import { refused } from "../refusal.ts";
import { appendToSystem } from "../system-stream.ts";
import type { Questions } from "../types.ts";
import { createChain, type Judgement } from "./chain.ts";
import { createDecisions } from "./decisions.ts";
import type { External } from "./external.ts";
import { createHolds, type Delivery, type Held, type Matter } from "./holds.ts";
import type { SupervisionLimits } from "./limits.ts";
import { asksPerson, editedPayload, no, unredacted, waitingAnswer, yes } from "./person.ts";
import { type Answer, answeredRecord, askedRecord, reasonOf } from "./records.ts";
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

/** The session that a question belongs to, and what happened in it so far. */
export interface Subject {
  readonly stream: SessionId;
  readonly tally: Tally;
  readonly workspace?: string;
}

export interface Manner {
  /** A batch entry never waits. */
  readonly delivery: "request" | "batch";
  /** Aborts when no answer can reach the agent. */
  readonly signal: AbortSignal;
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

/** One question on its way to its answer. */
interface Course {
  readonly subject: Subject;
  readonly event: AhpEvent;
  readonly type: BlockingType;
  readonly manner: Manner;
  readonly supervision_id: string;
  readonly start: number;
  /** Not durable yet, in order. */
  pending: NewEvent[];
}

const RACES = 3;

export function createSupervision(deps: SupervisionDeps): Supervision {
  const { log, clock, ids, timers, limits } = deps;
  const chain = createChain(deps);
  const decisions = createDecisions(log);
  const holds = createHolds({ ...deps, ...limits, expireMs: limits.expireMs });

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

  /** Puts the question to a person and waits for as long as the agent can. */
  async function viaPerson(
    course: Course,
    judgement: Judgement,
    before: readonly Delivery[],
  ): Promise<AnyDecision> {
    const { subject, event, type, manner, supervision_id } = course;
    const matter: Matter = {
      stream: subject.stream,
      supervision_id,
      event,
      effective: judgement.payload,
      reason: reasonOf(judgement),
      asked_by: judgement.by,
    };
    await write(course, []);
    for (let race = 0; race < RACES; race++) {
      const held = await holds.open(matter);
      const row = await decided(course, held);
      // Nobody to hand it to: the decision stays for whoever asks again.
      if (row === undefined || (manner.signal.aborted && manner.delivery === "request")) {
        return waiting(course, held.request_id);
      }
      const own = holds.delivery(matter, held);
      const deliveries = own === undefined ? before : [...before, own];
      const by = `person:${row.actor}`;
      if (row.state === "edited" && type !== "confirmation") {
        const edited = await decisions.edited(row.request_id);
        const whole = unredacted(editedPayload(judgement.payload, edited), row.shown, judgement.payload);
        const done = await viaEdit(course, judgement, whole, { by, request_id: row.request_id }, deliveries);
        if (done !== undefined) return done;
        continue;
      }
      const decision = row.state === "approved" ? yes(type, event.payload, judgement.payload) : no(type, row);
      if (await answer(course, { decision, source: "person", by, request_id: row.request_id }, deliveries)) {
        return decision;
      }
    }
    return waiting(course, undefined);
  }

  /** What a person put in the place of the payload passes everybody again. Undefined: somebody else got the decision. */
  async function viaEdit(
    course: Course,
    asked: Judgement,
    payload: unknown,
    person: { by: string; request_id: QuestionId },
    deliveries: readonly Delivery[],
  ): Promise<AnyDecision | undefined> {
    const { event, type } = course;
    const again = await judge(course, { ...event, payload });
    const decision = again.decision ?? {
      decision: "block",
      reason: "Nobody answers for the changed payload.",
    };
    // The person's edit is their answer to whoever asked for one. Anybody else asks again.
    const settled = decision.decision === "escalate" && again.by === asked.by;
    if (asksPerson(type, decision) && !settled) return viaPerson(course, again, deliveries);
    const allowed = settled || decision.decision === "allow" || decision.decision === "modify";
    const given = allowed
      ? ({ decision: yes(type, event.payload, again.payload), source: "person", ...person } as const)
      : ({ decision, source: again.source, by: again.by, request_id: person.request_id } as const);
    return (await answer(course, given, allowed ? deliveries : [])) ? given.decision : undefined;
  }

  async function decided(course: Course, held: Held) {
    const { subject, manner } = course;
    const late = new AbortController();
    // A batch entry only looks whether there is a decision already.
    if (manner.delivery === "batch") late.abort();
    const callOff = timers.after(leftMs(course), () => late.abort());
    try {
      const signal = AbortSignal.any([late.signal, manner.signal]);
      return await decisions.until(subject.stream, held.request_id, signal);
    } finally {
      callOff();
    }
  }

  async function waiting(course: Course, request_id: QuestionId | undefined): Promise<AnyDecision> {
    const decision = waitingAnswer(
      course.type,
      limits.retryAfterMs,
      "A person must decide, and has not yet.",
    );
    await answer(course, {
      decision,
      source: "waiting",
      by: CHAIN,
      ...(request_id === undefined ? {} : { request_id }),
    });
    return decision;
  }

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
      if (asksPerson(type, decision)) return viaPerson(course, judgement, []);
      if (!(await answer(course, { decision, source, by }))) throw new FairleadError("internal");
      return decision;
    },
  };
}
