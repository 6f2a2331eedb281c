import type { AhpEvent } from "@fairlead/ahp";
import { actionOf } from "@fairlead/ahp";
import { FairleadError, type NewEvent, type QuestionId, type SessionId } from "@fairlead/contract";
import { hashJson } from "../../domain/canonical.ts";
import { OPEN, type StoredQuestion } from "../../domain/question.ts";
import { againKey, bindingOf, type Hold, heldKey, holdId, usedKey } from "../../domain/supervision/hold.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { Questions } from "../types.ts";

export interface HoldsDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly questions: Pick<Questions, "ask">;
  /** A decision whose answer may have been lost goes once more to the same event for this long. */
  readonly redeliverMs: number;
  /** A denial answers repeats of the same question for this long, so that nobody is asked fifty times. */
  readonly denialMs: number;
  /** Questions expire after this; without it they stay open. */
  readonly expireMs: number | undefined;
  /** Approvals of one session that may be open. */
  readonly maxOpen: number;
}

export interface Matter {
  readonly stream: SessionId;
  readonly supervision_id: string;
  /** As the agent sent it. */
  readonly event: AhpEvent;
  /** What would run. */
  readonly effective: unknown;
  readonly reason: string;
  readonly asked_by: string;
  readonly delivery: "request" | "batch";
}

/** A question put to a person, or found as it was put before. */
export interface Held {
  readonly id: string;
  readonly request_id: QuestionId;
  readonly round: number;
  readonly binding: string;
  /** `again`: its decision was handed over and may be lost. `repeat`: it is a denial, and nothing is used up. */
  readonly use: "first" | "again" | "repeat";
}

/** What is appended when the decision goes to the agent. */
export interface Delivery {
  readonly event: NewEvent;
  readonly key: string;
}

export interface Holds {
  /** Asks a person, unless they were asked this already and the decision is still to be handed over. `full`: not asked. */
  open(matter: Matter): Promise<Held | "full">;
  delivery(matter: Matter, held: Held): Delivery | undefined;
  /** To be called when decisions were handed to an agent that still read: none of them is given again. */
  arrived(deliveries: readonly Delivery[]): void;
}

const RACES = 5;
/** Deliveries known to have arrived. One that is forgotten is given again at most once. */
const MOST_ARRIVED = 10_000;

export function createHolds({
  log,
  clock,
  questions,
  redeliverMs,
  denialMs,
  expireMs,
  maxOpen,
}: HoldsDeps): Holds {
  const arrivals = new Set<string>();
  const queues = new Map<SessionId, Promise<unknown>>();

  /** One after the other in a session, so that its open questions can be counted. */
  async function inTurn<T>(stream: SessionId, work: () => Promise<T>): Promise<T> {
    const before = queues.get(stream) ?? Promise.resolve();
    const own = before.then(work, work);
    queues.set(stream, own);
    try {
      return await own;
    } finally {
      if (queues.get(stream) === own) queues.delete(stream);
    }
  }

  async function isFull(stream: SessionId): Promise<boolean> {
    const { rows } = await log.rows<StoredQuestion>("question", {
      stream,
      state: OPEN,
      limit: maxOpen,
    });
    return rows.length >= maxOpen;
  }

  function mayBeLost({ hold_id, round, used }: Hold, { event, delivery }: Matter): boolean {
    if (used === null || used.again || delivery === "batch" || arrivals.has(usedKey(hold_id, round)))
      return false;
    return used.occurrence === occurrenceOf(event) && clock.now() - Date.parse(used.at) < redeliverMs;
  }

  /** The hold, if its decision is for this event; undefined when a person must be asked again. */
  async function usable(row: Hold, matter: Matter): Promise<Held | undefined> {
    const held = { id: row.hold_id, request_id: row.request_id, round: row.round, binding: row.binding };
    if (row.used === null) return { ...held, use: "first" };
    if (mayBeLost(row, matter)) return { ...held, use: "again" };
    const question = await log.row<StoredQuestion>("question", row.request_id);
    const denied =
      question?.state === "denied" && clock.now() - Date.parse(question.decided_at ?? "") < denialMs;
    return denied ? { ...held, use: "repeat" } : undefined;
  }

  async function ask(matter: Matter, id: string, binding: string, round: number): Promise<Held> {
    const { stream, event, effective, reason, asked_by, supervision_id } = matter;
    const expires =
      expireMs === undefined ? {} : { expires_at: new Date(clock.now() + expireMs).toISOString() };
    const row = await questions.ask(
      stream,
      { kind: "approval", reason, asked_by, shown: effective, ...described(event, effective), ...expires },
      {
        keys: [heldKey(id, round)],
        events: (request_id) => [
          {
            type: "runtime.supervision.held",
            agent_id: event.agent_id,
            data: {
              state: "waiting",
              event_type: event.event_type,
              binding,
              request_id,
              round,
              supervision_id,
            },
          },
        ],
      },
    );
    return { id, request_id: row.request_id, round, binding, use: "first" };
  }

  return {
    async open(matter) {
      const { stream, event, effective } = matter;
      const binding = bindingOf(event.agent_id, event.payload, effective);
      const id = holdId(stream, event.event_type, binding);
      for (let race = 0; race < RACES; race++) {
        const row = await log.row<Hold>("hold", id);
        const found = row === undefined ? undefined : await usable(row, matter);
        if (found !== undefined) return found;
        try {
          return await inTurn(stream, async () =>
            (await isFull(stream)) ? "full" : ask(matter, id, binding, (row?.round ?? 0) + 1),
          );
        } catch (error) {
          // The same was asked at the same time, and the other was first: its question is ours too.
          if (!(error instanceof FairleadError) || error.code !== "key_taken") throw error;
        }
      }
      throw new FairleadError("key_taken", { message: "The same question is asked by too many at once." });
    },
    delivery({ event, supervision_id }, { id, request_id, round, binding, use }) {
      if (use === "repeat") return undefined;
      return {
        key: use === "first" ? usedKey(id, round) : againKey(id, round),
        event: {
          type: "runtime.supervision.held",
          agent_id: event.agent_id,
          data: {
            state: "delivered",
            event_type: event.event_type,
            binding,
            request_id,
            round,
            supervision_id,
            occurrence: occurrenceOf(event),
            delivered_at: new Date(clock.now()).toISOString(),
          },
        },
      };
    },
    arrived(deliveries) {
      for (const { key } of deliveries) arrivals.add(key);
      for (const key of arrivals) {
        if (arrivals.size <= MOST_ARRIVED) return;
        arrivals.delete(key);
      }
    },
  };
}

/** Tells an event that is sent again from a new one like it: the agent's own time of it is the same. */
function occurrenceOf({ agent_id, timestamp, depth }: AhpEvent): string {
  return hashJson([agent_id, timestamp, depth]).slice(0, 32);
}

function described(event: AhpEvent, effective: unknown): { tool_name: string; risk: "medium" | "high" } {
  if (event.event_type === "pre_action") {
    return { tool_name: actionOf(effective).toolName?.slice(0, 200) ?? "action", risk: "high" };
  }
  const kind = (effective as { confirmation_type?: unknown } | null)?.confirmation_type;
  return { tool_name: event.event_type, risk: kind === "safety_confirm" ? "high" : "medium" };
}
