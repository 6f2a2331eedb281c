import { type AnyEvent, FairleadError, type SessionId, TURN_FAILURES, type TurnId } from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import type { StoredSession } from "../domain/session.ts";
import { isOpen } from "../domain/turn.ts";
import { type FailTurn, decideTurn, turnActive } from "../domain/turn-decide.ts";
import type { EventLog, Lease } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import type { Timers } from "../ports/timers.ts";
import { commandStream } from "./access.ts";
import { type CommandKey, commandKey, firstResult } from "./idempotency.ts";
import type { Models } from "./models.ts";
import type { Redactor } from "./redaction.ts";
import { badRequest, demand, refused, taken } from "./refusal.ts";
import { heedCancel, requestCancel } from "./turn/cancel-elsewhere.ts";
import { contextOf, endTurn, loadSession } from "./turn/end.ts";
import type { TurnLimits } from "./turn/limits.ts";
import { type Run, runTurn } from "./turn/run.ts";
import type { StartedTurn, Turns } from "./types.ts";

export interface TurnsDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly timers: Timers;
  readonly models: Models;
  readonly limits: TurnLimits;
  readonly redactor: Redactor;
  /** Names this process to people, so that they find where a turn runs. */
  readonly process: string;
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** A lease is given back a moment after the turn's end is seen: how long, and how often, to wait for that. */
const HANDOVER_MS = 20;
const HANDOVER_TRIES = 50;
const PAGE = 200;

const INTERRUPTED: FailTurn = { kind: "fail", code: "interrupted", error: TURN_FAILURES.interrupted };

export function createTurns(deps: TurnsDeps): Turns {
  const { log, ids, timers, models, limits } = deps;
  const runs = new Map<SessionId, Run>();
  const starting = new Set<Promise<unknown>>();
  let stopping: string | undefined;

  // A holder for each try, not one for the process: so that a process does not take a lease from itself.
  function acquire(session: SessionId): Promise<Lease | undefined> {
    return log.acquireLease(session, ids.next("attempt"), limits.leaseMs);
  }

  /** The lease, or the turn that this same command already started. Throws turn_active. */
  async function takeLease(session: SessionId, command: CommandKey | undefined): Promise<Lease | AnyEvent> {
    for (let tries = 0; ; tries++) {
      const lease = await acquire(session);
      if (lease !== undefined) return lease;
      const row = await loadSession(log, session);
      const first = await firstResult(log, command);
      if (first !== undefined) return first;
      if (isOpen(row.turn) || tries === HANDOVER_TRIES) throw activeElsewhere(row);
      const ending = runs.get(session)?.ended;
      if (ending !== undefined) await ending;
      else await new Promise<void>((resolve) => void timers.after(HANDOVER_MS, resolve));
    }
  }

  async function begin(
    session: SessionId,
    lease: Lease,
    input: string,
    command: CommandKey | undefined,
  ): Promise<StartedTurn> {
    const left = await loadSession(log, session);
    // With the lease in hand, an open turn has no process any more.
    if (isOpen(left.turn)) taken(await endTurn(log, lease, INTERRUPTED));
    const row = await loadSession(log, session);
    const turn_id = ids.next("turn");
    const started = ids.next("event");
    const decision = decideTurn(contextOf(row), {
      kind: "start",
      turn_id,
      started,
      input,
      tools: [],
      process_id: deps.process,
      cause: command?.cause ?? null,
    });
    if (!decision.ok) throw refused(decision.refusal);
    const model = modelOf(row);
    const appended = await log.append({
      writes: [{ stream: session, events: decision.events, guard: { epoch: lease.epoch } }],
      keys: command === undefined ? [] : [command.claim],
    });
    if (!appended.ok) {
      const first = appended.refusal.code === "key_taken" ? await firstResult(log, command) : undefined;
      if (first === undefined) throw refused(appended.refusal);
      await log.releaseLease(lease);
      return startedBy(first);
    }
    const seq = appended.events[0]?.seq ?? 0;
    const request = { id: started, seq: seq + 1 };
    const run = runTurn(deps, { lease, session, turn_id, started: request, input, model });
    runs.set(session, run);
    void run.ended.then(() => runs.get(session) === run && runs.delete(session));
    void heedCancel(log, session, run, seq, deps.report);
    return { session_id: session, turn_id, seq };
  }

  function modelOf(row: StoredSession) {
    const named = row.state?.model ?? undefined;
    return named === undefined ? models.main : models.demand(named);
  }

  async function start(
    actor: Actor,
    ref: string,
    given: Parameters<Turns["start"]>[2],
  ): Promise<StartedTurn> {
    if (stopping !== undefined) throw new FairleadError("shutting_down");
    demand(actor, "turn.start");
    const { input, idempotencyKey } = given;
    if (input.trim() === "") throw badRequest("`input` must say something.");
    const session = (await commandStream(log, actor, ref)).id;
    const command =
      idempotencyKey === undefined
        ? undefined
        : commandKey(actor, idempotencyKey, { command: "turn.start", session, input });
    const first = await firstResult(log, command);
    if (first !== undefined) return startedBy(first);
    const lease = await takeLease(session, command);
    if (!("epoch" in lease)) return startedBy(lease);
    try {
      return await begin(session, lease, input, command);
    } catch (error) {
      await log.releaseLease(lease).catch(deps.report);
      throw error;
    }
  }

  async function cancel(actor: Actor, ref: string, reason?: string): Promise<{ turn_id: string }> {
    demand(actor, "turn.cancel");
    const session = (await commandStream(log, actor, ref)).id;
    const why = { kind: "cancel", reason: reason ?? `cancelled by ${actor.name}` } as const;
    const run = runs.get(session);
    if (run !== undefined) {
      run.stop(why);
      if (await run.ended) return { turn_id: run.turn_id };
    }
    if (!isOpen((await loadSession(log, session)).turn)) throw new FairleadError("turn_not_found");
    const lease = await acquire(session);
    const row = await loadSession(log, session);
    if (!isOpen(row.turn)) {
      if (lease !== undefined) await log.releaseLease(lease);
      throw new FairleadError("turn_not_found");
    }
    const turn_id = row.turn.turn_id ?? "";
    if (lease === undefined) {
      if (await requestCancel(log, timers, { session, turn_id, actor: actor.name, reason: why.reason }))
        return { turn_id };
      throw activeElsewhere(row);
    }
    try {
      taken(await endTurn(log, lease, why));
    } finally {
      await log.releaseLease(lease).catch(deps.report);
    }
    return { turn_id };
  }

  /** Ends the turn if no process drives it. */
  async function recoverOne(session: SessionId): Promise<boolean> {
    if (runs.has(session)) return false;
    const lease = await acquire(session);
    if (lease === undefined) return false;
    try {
      return (await endTurn(log, lease, INTERRUPTED)).ok;
    } finally {
      await log.releaseLease(lease);
    }
  }

  async function recover(): Promise<number> {
    const open: SessionId[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.rows<StoredSession>("session", {
        state: ["running"],
        scope: { owner: "any" },
        limit: PAGE,
        cursor,
      });
      open.push(...page.rows.filter((row) => isOpen(row.turn)).map((row) => row.session_id));
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    let ended = 0;
    for (const session of open) {
      // One that cannot be ended must not keep the others open.
      ended += await recoverOne(session).then(Number, (error: unknown) => (deps.report(error), 0));
    }
    return ended;
  }

  return {
    cancel,
    recover,
    async start(actor, ref, input) {
      const started = start(actor, ref, input);
      starting.add(started);
      try {
        return await started;
      } finally {
        starting.delete(started);
      }
    },
    async stop(reason) {
      stopping ??= reason;
      await Promise.allSettled(starting);
      const under = [...runs.values()];
      for (const run of under) run.stop({ kind: "fail", code: "interrupted", error: reason });
      await Promise.all(under.map((run) => run.ended));
    },
  };
}

function startedBy(event: AnyEvent): StartedTurn {
  return { session_id: event.stream, turn_id: event.turn_id as TurnId, seq: event.seq };
}

function activeElsewhere(row: StoredSession): FairleadError {
  if (isOpen(row.turn)) return refused(turnActive(contextOf(row)));
  return new FairleadError("turn_active", {
    message: "Another process holds this session.",
    details: { turn_id: null, process_id: null },
  });
}
