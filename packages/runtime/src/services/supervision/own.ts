import type { AhpEvent, BlockingType, EventType } from "@fairlead/ahp";
import { EVENT_TYPES, isBlocking } from "@fairlead/ahp";
import type { EventData, NewEvent } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import type { HistoryCounts } from "../../domain/policy/input.ts";
import type { Guard } from "../../domain/supervision/guards.ts";
import { policyInput } from "../../domain/supervision/input.ts";
import { concludedData } from "../../domain/supervision/own-decision.ts";
import { isGate } from "../../domain/supervision/strictest.ts";
import type { OptionalType, Switches } from "../../domain/supervision/switches.ts";
import { claim, unclaim } from "../../domain/supervision/tally-own.ts";
import { historyNow, historyOf, statsOf, underWay } from "../../domain/supervision/tally.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { AnyDecision } from "../../ports/supervisor.ts";
import { type Case, createChain, type Judgement } from "./chain.ts";
import type { External } from "./external.ts";
import type { SupervisionLimits } from "./limits.ts";
import type { OwnJudgement, OwnRun, OwnSupervision } from "./own-types.ts";
import type { Rules } from "./rules.ts";
import { UNASKED, unaskedRules } from "./unasked.ts";

export interface OwnSupervisionDeps {
  readonly rules: Rules;
  readonly guards: readonly Guard[];
  readonly externals: readonly External[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Pick<SupervisionLimits, "budget">;
  readonly switches?: Switches;
  /** Hears what concerns the installation and not only the run: a supervisor that is lost or back. Must not throw. */
  readonly tellSystem?: (events: readonly NewEvent[]) => void;
}

/** Nobody waits for an answer but the loop: each supervisor has its own time. */
const NO_HURRY_MS = Number.MAX_SAFE_INTEGER;
const BLOCKING = EVENT_TYPES.filter(isBlocking);

export function createOwnSupervision(deps: OwnSupervisionDeps): OwnSupervision {
  const { rules, externals, clock, ids, limits, switches = {} } = deps;
  const chain = createChain(deps);
  const guardsAlone = createChain({ ...deps, rules: unaskedRules(rules), externals: [] });
  const outside = new Set(
    BLOCKING.filter((type) => externals.some((one) => one.answersFor({ event_type: type } as AhpEvent))),
  );
  /** A supervisor outside that answers for a gate keeps it shut, whatever the switches say. */
  const unsupervised = (switches.unsupervised ?? []).filter((type) => !outside.has(type));

  const chainFor = (type: BlockingType) =>
    (unsupervised as readonly BlockingType[]).includes(type) ? guardsAlone : chain;

  function asks(type: BlockingType): boolean {
    if (isGate(type)) return true;
    return switches.on?.[type as OptionalType] ?? (outside.has(type) || rules.covers(type));
  }

  function caseOf(
    run: OwnRun,
    type: BlockingType,
    payload: unknown,
    before: (records: readonly NewEvent[]) => Promise<void>,
  ): Case {
    const { tally } = run;
    const now = clock.now();
    const tool_call_id = type === "pre_action" ? callOf(payload) : undefined;
    /** Kept only once there is a wait, in which the tally goes on. */
    let history: HistoryCounts | undefined;
    const others = (): number => {
      const own = tool_call_id !== undefined && tally.calls[tool_call_id]?.passed === true ? 1 : 0;
      return underWay(tally) - own;
    };
    return {
      event: eventOf(run, type, payload, now),
      supervision_id: outside.has(type) ? ids.next("supervision") : undefined,
      ...(tool_call_id === undefined ? {} : { tool_call_id }),
      input(event) {
        const besides = others();
        const { workspace } = run;
        return policyInput({
          event,
          tally,
          underWay: besides,
          history: history ?? historyNow(tally, besides),
          budget: limits.budget,
          workspace,
          now,
        });
      },
      leftMs: () => NO_HURRY_MS,
      heard: (decision) => mark(run, tool_call_id, decision === undefined || lets(decision)),
      async beforeAsking(asked) {
        history ??= historyOf(tally, others());
        await before(asked);
        return true;
      },
      isRecorded: false,
    };
  }

  /** What passes counts from now on, and what does not, no longer. */
  function mark({ tally }: OwnRun, tool_call_id: string | undefined, passes: boolean): void {
    if (tool_call_id === undefined) return;
    if (passes) claim(tally, tool_call_id);
    else unclaim(tally, tool_call_id);
  }

  function concluded(type: BlockingType, matter: Case, judgement: Judgement, by: string): OwnJudgement {
    const { decision, payload, records } = judgement;
    const said: EventData<"runtime.policy.decision">[] = [];
    const rest: NewEvent[] = [];
    for (const record of records) {
      if (record.type === "runtime.policy.decision") said.push(record.data);
      else rest.push(record);
    }
    const lost = rest.filter((record) => record.type === "runtime.transport.diagnostic");
    if (lost.length > 0) deps.tellSystem?.(lost);
    const { tool_call_id, event } = matter;
    const data = concludedData(said, { type, decision, by, tool_call_id });
    const record: NewEvent<"runtime.policy.decision"> = {
      type: "runtime.policy.decision",
      agent_id: event.agent_id,
      data,
    };
    return { decision, by, payload, records: [...rest, kept(type, record, judgement)] };
  }

  return {
    asks,
    judge(run, type, payload, before) {
      if (!asks(type)) return { decision: undefined, by: "rules", payload, records: [] };
      const matter = caseOf(run, type, payload, before);
      const asked = chainFor(type);
      const conclude = (judgement: Judgement): OwnJudgement => {
        mark(run, matter.tool_call_id, judgement.decision !== undefined && lets(judgement.decision));
        const by = asked === guardsAlone && judgement.by === "rules" ? UNASKED : judgement.by;
        return concluded(type, matter, judgement, by);
      };
      const fail = (error: unknown): never => {
        mark(run, matter.tool_call_id, false);
        throw error;
      };
      try {
        const judgement = asked.judge(matter);
        return judgement instanceof Promise ? judgement.then(conclude).catch(fail) : conclude(judgement);
      } catch (error) {
        return fail(error);
      }
    },
    recheck(run, type, payload, asked) {
      if (!asks(type)) return undefined;
      const matter = caseOf(run, type, payload, () => Promise.resolve());
      const found = chainFor(type).recheck(matter, payload);
      const problem =
        found.kind === "refused"
          ? refusalOf(found.judgement)
          : found.kind === "changed" && !isOwnWork(type, matter, payload, asked)
            ? "The rules in force would change what was approved."
            : undefined;
      mark(run, matter.tool_call_id, problem === undefined);
      return problem;
    },
    takesNotices: externals.length > 0,
    budget: limits.budget,
    notify(run, type, payload) {
      if (externals.length === 0) return;
      const event = eventOf(run, type, payload, clock.now());
      for (const external of externals) external.notify(event);
    },
    coverage: () => ({ asked: BLOCKING.filter(asks), unsupervised, rule_set_hash: rules.hash }),
  };

  /** Whether the rules make of what was asked just what was approved. */
  function isOwnWork(type: BlockingType, matter: Case, approved: unknown, asked: unknown): boolean {
    if (asked === undefined) return false;
    const made = chainFor(type).settle({ ...matter, event: { ...matter.event, payload: asked } });
    return made !== undefined && hashJson(made.payload) === hashJson(approved);
  }
}

function eventOf(run: OwnRun, type: EventType, payload: unknown, now: number): AhpEvent {
  const { session_id, agent_id, depth, tally } = run;
  return {
    event_type: type,
    session_id,
    agent_id,
    timestamp: new Date(now).toISOString(),
    depth,
    payload,
    context: { session_stats: statsOf(tally, now) },
  };
}

/**
 * A changed prompt stays changed for the rest of the conversation, so the log must say to what; and what was meant is
 * said in the summary of the turn.
 */
function kept(
  type: BlockingType,
  record: NewEvent<"runtime.policy.decision">,
  { decision, payload }: Judgement,
): NewEvent {
  const noted = notedOf(type, decision, payload);
  if (noted === undefined) return record;
  const details = { ...record.data.details, ...noted };
  return { ...record, seal: true, data: { ...record.data, details } };
}

function notedOf(type: BlockingType, decision: AnyDecision | undefined, payload: unknown) {
  if (type === "pre_prompt" && decision?.decision === "modify") return { modified_payload: payload };
  if (type !== "intent_detection" || decision?.decision !== "allow") return undefined;
  return { detected_intent: decision["detected_intent"], confidence: decision["confidence"] };
}

function callOf(payload: unknown): string | undefined {
  const id = (payload as { tool_call_id?: unknown } | null)?.tool_call_id;
  return typeof id === "string" ? id : undefined;
}

function lets({ decision }: AnyDecision): boolean {
  return decision === "allow" || decision === "modify";
}

function refusalOf({ decision, by }: Judgement): string {
  const reason = decision?.["reason"];
  return typeof reason === "string" ? reason : `Refused by ${by}.`;
}
