import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { FAIL_CLOSED, isBlocking } from "@fairlead/ahp";
import type { AnswerSource, NewEvent } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import type { PolicyInput } from "../../domain/policy/input.ts";
import { changedPayload, isFinal, isHollow, strictest } from "../../domain/supervision/strictest.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import type { External, ExternalAnswer } from "./external.ts";
import type { Rules } from "./rules.ts";

/** Rounds in which a payload may be changed before somebody must be wrong. */
const MAX_ROUNDS = 4;

export interface Case {
  readonly supervision_id: string;
  readonly event: AhpEvent;
  /** All that rules decide from, with this event in it. */
  readonly input: (event: AhpEvent) => PolicyInput;
  /** What is left of the time in which the agent must be answered. */
  readonly leftMs: () => number;
  /** Called with what the rules alone make of it: the first time before anything else can be judged. */
  readonly heard: (decision: AnyDecision | undefined) => void;
  /** Called before anybody outside is asked. Awaited before their answers count. */
  readonly beforeAsking: () => Promise<void>;
}

export interface Judgement {
  /** Undefined: nobody here answers this event type. */
  readonly decision: AnyDecision | undefined;
  /** `rule:ID`, `rules` for a default, or the supervisor's name. */
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

/**
 * Rules first, then every external supervisor that answers for the type, all at once. A block ends it.
 * A changed payload is judged again by all of them, and only what nobody changes any more is weighed:
 * then the strictest answer wins.
 */
export function createChain({ rules, externals }: { rules: Rules; externals: readonly External[] }) {
  /** What is asked outside, if the rules leave anything to ask. */
  const asked = (event: AhpEvent): readonly External[] => externals.filter((one) => one.answersFor(event));

  async function judge(matter: Case): Promise<Judgement> {
    const type = matter.event.event_type;
    const records: NewEvent[] = [];
    let payload = matter.event.payload;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const event = round === 0 ? matter.event : { ...matter.event, payload };
      const own = ruleVoice(matter, event, records);
      matter.heard(own?.decision);
      const voices: Voice[] = own === undefined ? [] : [own];
      const done = own !== undefined && isFinal(type, own.decision);
      let change = own === undefined ? undefined : changedPayload(type, own.decision, payload);
      // Without a pause where there is nobody to ask, so that answers keep the order of their questions.
      if (!done && change === undefined && asked(event).length > 0) {
        // Of equals the first wins: a rule before the supervisors, and the rules' default after them.
        const outside = await askOutside(matter, event, round, records);
        if (own?.by === "rules") voices.unshift(...outside);
        else voices.push(...outside);
        change = voices.map((voice) => changedPayload(type, voice.decision, payload)).find(Boolean);
      }
      const winner = strictest(type, voices);
      if (winner === undefined)
        return { decision: undefined, by: "rules", source: "rules", payload, records };
      if (change === undefined || isFinal(type, winner.decision))
        return { ...settled(matter, winner, payload), records };
      payload = change.payload;
    }
    return {
      ...refusal(type, `The payload was changed more than ${MAX_ROUNDS - 1} times.`),
      payload,
      records,
    };
  }

  /** Rules alone, and at once: supervisors have just been asked, and the agent will not wait for them twice. */
  function recheck(matter: Case, payload: unknown): Recheck {
    const type = matter.event.event_type;
    const records: NewEvent[] = [];
    const own = ruleVoice(matter, { ...matter.event, payload }, records);
    if (own === undefined) return { kind: "stands" };
    if (isFinal(type, own.decision)) return { kind: "refused", judgement: { ...own, payload, records } };
    return { kind: changedPayload(type, own.decision, payload) === undefined ? "stands" : "changed" };
  }

  function ruleVoice(
    { input, supervision_id }: Case,
    event: AhpEvent,
    records: NewEvent[],
  ): Voice | undefined {
    const { decision, rule_id, data } = rules.judge(input(event));
    records.push({ type: "runtime.policy.decision", agent_id: event.agent_id, cause: supervision_id, data });
    const by = rule_id === null ? "rules" : `rule:${rule_id}`;
    return decision === undefined ? undefined : { by, source: "rules", decision };
  }

  async function askOutside(
    matter: Case,
    event: AhpEvent,
    round: number,
    records: NewEvent[],
  ): Promise<Voice[]> {
    const all = asked(event);
    const durable = matter.beforeAsking();
    // Awaited below. Until then a log that is lost must not end the process.
    durable.catch(() => {});
    records.push(...all.map((one) => askedRecord(matter, event, round, one)));
    const answers = await Promise.all(all.map((one) => one.ask(event, Math.max(1, matter.leftMs()))));
    await durable;
    records.push(...answers.flatMap((answer) => answerRecords(matter, event, round, answer)));
    return answers.filter((answer) => !answer.abstains);
  }

  return { judge, recheck };
}

export type Chain = ReturnType<typeof createChain>;

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
  if (matter.event.event_type === "planning") return { decision: winner.decision, by, source, payload };
  return { decision: given(matter.event.payload, payload, rest), by, source, payload };
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

function askedRecord({ supervision_id }: Case, event: AhpEvent, round: number, external: External): NewEvent {
  return {
    type: "runtime.supervision.asked",
    agent_id: event.agent_id,
    data: {
      supervision_id,
      event_type: event.event_type,
      supervisor: external.name,
      payload: round === 0 ? null : event.payload,
      payload_hash: hashJson(event.payload),
      timeout_ms: external.timeoutMs,
      round,
    },
  };
}

function answerRecords(
  { supervision_id }: Case,
  event: AhpEvent,
  round: number,
  answer: ExternalAnswer,
): NewEvent[] {
  const { by, decision, source, reason, elapsedMs, abstains } = answer;
  const told = abstains ? `${reason ?? ""} Left to the others, as configured.` : reason;
  return [
    {
      type: "runtime.supervision.answered",
      agent_id: event.agent_id,
      data: {
        supervision_id,
        event_type: event.event_type,
        supervisor: by,
        source,
        decision: abstains ? { decision: "abstain" } : decision,
        ...(told === undefined ? {} : { reason: told }),
        elapsed_ms: elapsedMs,
        round,
      },
    },
    ...answer.circuit.map((circuit): NewEvent => ({
      type: "runtime.transport.diagnostic",
      agent_id: event.agent_id,
      data: {
        kind: "supervisor_circuit",
        status: circuit.state,
        reason: reason ?? "It answered.",
        provider_requested: by,
        failure_count: circuit.failures,
      },
    })),
  ];
}
