import type { AhpEvent } from "@fairlead/ahp";
import type { NewEvent, QuestionId } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import { CHAIN } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { Timers } from "../../ports/timers.ts";
import type { Questions } from "../types.ts";
import type { Judgement, Recheck } from "./chain.ts";
import type { Course } from "./course.ts";
import { createCrowd } from "./crowd.ts";
import type { Decisions } from "./decisions.ts";
import { createHolds, type Delivery, type Held, type Matter } from "./holds.ts";
import type { SupervisionLimits } from "./limits.ts";
import { asksPerson, editedPayload, no, unredacted, waitingAnswer, yes } from "./person.ts";
import { type Answer, reasonOf } from "./records.ts";

interface ByPersonDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly questions: Questions;
  readonly limits: SupervisionLimits;
  readonly decisions: Decisions;
  readonly judge: (course: Course, event: AhpEvent) => Promise<Judgement>;
  /** Rules may have changed, and counts have, while the person thought. */
  readonly recheck: (course: Course, payload: unknown) => Recheck;
  readonly write: (course: Course, more: readonly NewEvent[]) => Promise<boolean>;
  /** False when somebody else has used up one of the decisions. */
  readonly answer: (course: Course, given: Answer, deliveries?: readonly Delivery[]) => Promise<boolean>;
  readonly leftMs: (course: Course) => number;
}

/** How often a decision may go to somebody else, who asked the same, before the agent is told to come again. */
const RACES = 3;

const NOBODY: AnyDecision = { decision: "block", reason: "Nobody answers for the changed payload." };

/** Puts a question to a person and waits for as long as the agent can. */
export function createByPerson(deps: ByPersonDeps) {
  const { timers, limits, decisions, judge, recheck, write, leftMs } = deps;
  const waitingFor = createCrowd();
  const holds = createHolds({ ...deps, ...limits, expireMs: limits.expireMs });

  /** What was written while the agent could still read it is taken to have arrived: the safe side is to ask again. */
  async function answer(
    course: Course,
    given: Answer,
    deliveries: readonly Delivery[] = [],
  ): Promise<boolean> {
    const done = await deps.answer(course, given, deliveries);
    if (done && !course.manner.signal.aborted) holds.arrived(deliveries);
    return done;
  }

  /** `before`: decisions that led here, to be used up with this one. */
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
      delivery: manner.delivery,
    };
    await write(course, []);
    for (let race = 0; race < RACES; race++) {
      const held = await holds.open(matter);
      if (held === "full") return waiting(course, undefined, "Too many questions of this session are open.");
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
      if (row.state === "approved") {
        const found = recheck(course, judgement.payload);
        if (found.kind === "refused") return refuse(course, found.judgement, row.request_id);
        if (found.kind === "changed") {
          const again = await judge(course, event);
          if (again.decision === undefined || !asksPerson(type, again.decision))
            return refuse(course, again, row.request_id);
          // A rule that changes its own work once more is no news: what would run is what was approved.
          if (hashJson(again.payload) !== hashJson(judgement.payload))
            return viaPerson(course, again, before);
        }
      }
      const decision = row.state === "approved" ? yes(type, event.payload, judgement.payload) : no(type, row);
      if (await answer(course, { decision, source: "person", by, request_id: row.request_id }, deliveries)) {
        return decision;
      }
    }
    return waiting(course, undefined);
  }

  /** What rules and supervisors say by now, in spite of a yes, which is not used up. */
  async function refuse(course: Course, judgement: Judgement, request_id: QuestionId): Promise<AnyDecision> {
    const { decision = NOBODY, source, by } = judgement;
    course.pending.push(...judgement.records);
    await answer(course, { decision, source, by, request_id });
    return decision;
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
    const decision = again.decision ?? NOBODY;
    // The person's edit is their answer to whoever asked for one. Anybody else asks again.
    const settled = decision.decision === "escalate" && again.by === asked.by;
    if (asksPerson(type, decision) && !settled) return viaPerson(course, again, deliveries);
    const allowed = settled || decision.decision === "allow" || decision.decision === "modify";
    const found = allowed ? recheck(course, again.payload) : undefined;
    if (found?.kind === "refused") return refuse(course, found.judgement, person.request_id);
    const given = allowed
      ? ({ decision: yes(type, event.payload, again.payload), source: "person", ...person } as const)
      : ({ decision, source: again.source, by: again.by, request_id: person.request_id } as const);
    return (await answer(course, given, allowed ? deliveries : [])) ? given.decision : undefined;
  }

  async function decided(course: Course, held: Held) {
    const { stream, caller } = course.subject;
    const { manner } = course;
    const late = new AbortController();
    // A batch entry only looks whether there is a decision already; so does one that too many wait before.
    if (manner.delivery === "batch" || waitingFor.of(caller) >= limits.maxHeld) late.abort();
    const callOff = timers.after(leftMs(course), () => late.abort());
    try {
      const signal = AbortSignal.any([late.signal, manner.signal]);
      return await waitingFor.during(caller, () => decisions.until(stream, held.request_id, signal));
    } finally {
      callOff();
    }
  }

  async function waiting(
    course: Course,
    request_id: QuestionId | undefined,
    reason = "A person must decide, and has not yet.",
  ): Promise<AnyDecision> {
    const decision = waitingAnswer(course.type, limits.retryAfterMs, reason);
    await answer(course, {
      decision,
      source: "waiting",
      by: CHAIN,
      reason,
      ...(request_id === undefined ? {} : { request_id }),
    });
    return decision;
  }

  return (course: Course, judgement: Judgement): Promise<AnyDecision> => viaPerson(course, judgement, []);
}
