import type { AhpEvent, BlockingType } from "@fairlead/ahp";
import { FAIL_CLOSED, isBlocking } from "@fairlead/ahp";
import type { AnswerSource } from "@fairlead/contract";
import { isShallow } from "../../domain/canonical.ts";
import {
  type Circuit,
  type CircuitLimits,
  enter,
  failed,
  NEW_CIRCUIT,
  succeeded,
} from "../../domain/supervision/circuit.ts";
import { readDecision } from "../../domain/supervision/strictest.ts";
import type { Clock } from "../../ports/clock.ts";
import { type AnyDecision, type Supervisor, SupervisorFault } from "../../ports/supervisor.ts";
import type { Timers } from "../../ports/timers.ts";
import { createOutbox, type Dropped } from "./outbox.ts";

/** What came of asking one external supervisor. */
export interface ExternalAnswer {
  readonly by: string;
  /** The answer, or what stands in for it. */
  readonly decision: AnyDecision;
  /** It has no say: there was no answer, and the configuration leaves the decision to the others. */
  readonly abstains: boolean;
  readonly source: AnswerSource;
  readonly reason: string | undefined;
  readonly elapsedMs: number;
  /** The circuit, when this question changed it. */
  readonly circuit: readonly Circuit[];
}

/** An external supervisor that always answers: in time, in form, or with what stands in for an answer. */
export interface External {
  readonly name: string;
  readonly timeoutMs: number;
  answersFor(event: AhpEvent): boolean;
  /** Never rejects. `patienceMs` may be shorter than the supervisor's own timeout. */
  ask(event: AhpEvent, patienceMs: number): Promise<ExternalAnswer>;
  /** Tells it without waiting, in order. Never throws; what cannot be delivered is counted and reported. */
  notify(event: AhpEvent): void;
  readonly circuit: Circuit;
  close(): Promise<void>;
}

export interface ExternalDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: CircuitLimits;
  /** Hears now and then of notifications that did not arrive. Must not throw. */
  readonly dropped?: (supervisor: string, dropped: Dropped) => void;
}

type Outcome =
  | { readonly ok: true; readonly decision: AnyDecision }
  | { readonly ok: false; readonly source: AnswerSource; readonly reason: string };

export function guardSupervisor(supervisor: Supervisor, deps: ExternalDeps): External {
  const { clock, timers, limits } = deps;
  const { name, notify } = supervisor;
  let circuit = NEW_CIRCUIT;
  const outbox =
    notify === undefined
      ? undefined
      : createOutbox({
          send: notify,
          timers,
          timeoutMs: supervisor.timeoutMs,
          dropped: (lost) => deps.dropped?.(name, lost),
        });

  /** Moves the circuit, and says so when its state is another. */
  function move(next: Circuit): readonly Circuit[] {
    const changed = next.state !== circuit.state;
    circuit = next;
    return changed ? [next] : [];
  }

  async function attempt(event: AhpEvent, type: BlockingType, patienceMs: number): Promise<Outcome> {
    const waitMs = Math.min(supervisor.timeoutMs, patienceMs);
    const gaveUp = new AbortController();
    const late = Promise.withResolvers<Outcome>();
    const callOff = timers.after(waitMs, () => {
      gaveUp.abort();
      late.resolve({ ok: false, source: "timeout", reason: `No answer within ${waitMs} ms.` });
    });
    try {
      const answer = supervisor.decide(event, gaveUp.signal).then((value) => checked(type, value), faultOf);
      return await Promise.race([answer, late.promise]);
    } catch (error) {
      return faultOf(error);
    } finally {
      callOff();
    }
  }

  return {
    name,
    timeoutMs: supervisor.timeoutMs,
    answersFor: ({ event_type }) => isBlocking(event_type) && supervisor.on.includes(event_type),
    get circuit() {
      return circuit;
    },
    async ask(event, patienceMs) {
      const type = event.event_type as BlockingType;
      const start = clock.now();
      const entered = enter(circuit, start);
      const before = move(entered.circuit);
      const outcome: Outcome = entered.may
        ? await attempt(event, type, patienceMs)
        : {
            ok: false,
            source: "circuit",
            reason: `Not asked: it failed ${circuit.failures} times in a row.`,
          };
      const now = clock.now();
      const common = { by: name, elapsedMs: Math.max(0, now - start) };
      if (outcome.ok) {
        const { decision } = outcome;
        const after = move(succeeded());
        return {
          ...common,
          decision,
          abstains: false,
          source: "supervisor",
          reason: undefined,
          circuit: [...before, ...after],
        };
      }
      const after = outcome.source === "circuit" ? [] : move(failed(circuit, now, limits));
      const { source, reason } = outcome;
      const abstains = supervisor.onFailure === "allow";
      // The agent need not know more; the log does.
      const decision = FAIL_CLOSED[type](`The supervisor ${name} gave no answer (${source}).`);
      return { ...common, decision, abstains, source, reason, circuit: [...before, ...after] };
    },
    notify(event) {
      // Only answers move the circuit. While it is open nobody is there to be told.
      if (circuit.state === "open" && clock.now() < circuit.until) outbox?.drop("Its circuit is open.");
      else outbox?.put(event);
    },
    async close() {
      await outbox?.close();
      await supervisor.close();
    },
  };
}

function checked(type: BlockingType, value: unknown): Outcome {
  // Nobody could hash or check again what nests too deep.
  const decision = isShallow(value) ? readDecision(type, value) : undefined;
  return decision === undefined
    ? { ok: false, source: "invalid", reason: "Its answer is no decision of this event type." }
    : { ok: true, decision };
}

function faultOf(error: unknown): Outcome {
  const source = error instanceof SupervisorFault ? error.kind : "failed";
  return { ok: false, source, reason: error instanceof Error ? error.message : String(error) };
}
