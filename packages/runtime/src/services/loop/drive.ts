import { type AnyEvent, type SessionId, TURN_FAILURES } from "@fairlead/contract";
import { delegationOf } from "../../domain/delegation/surface.ts";
import { type Step, next } from "../../domain/loop/next.ts";
import type { EndTurn } from "../../domain/turn-decide.ts";
import type { Lease } from "../../ports/event-log.ts";
import { reviewStep } from "../hooks/in-turn.ts";
import { withinTime } from "../health/enforce.ts";
import { expireWhenDue, kernelStep, reportStep } from "../kernel/perform.ts";
import { createPlace } from "../workspaces/place.ts";
import { type Beginning, emitBegin, emitTurn } from "./begin.ts";
import { callStep } from "./call.ts";
import { restricted } from "../delegation/restrict.ts";
import { gatherStep } from "../delegation/gather.ts";
import { completeStep } from "./complete.ts";
import type { Drive, LoopDeps } from "./context.ts";
import { endTurn } from "./end.ts";
import { giveUp } from "./give-up.ts";
import { createJournal } from "./journal.ts";
import { judgeStep } from "./judge.ts";
import { keepLease } from "./keep-lease.ts";
import { type Carried, snapshotEvent } from "./load.ts";
import { reflectStep } from "./reflect.ts";
import { parkStep, readyToGoOn } from "./park.ts";
import { resumeTurn } from "./resume.ts";
import { runStep } from "./run.ts";
import { settleStep } from "./settle.ts";
import { mayTidyUp, tellSupervisors } from "./tell.ts";
import { verdictStep } from "./verdict.ts";
import { watchMoves } from "./watch.ts";

/** Made once: making one walks the stack. */
const OVER = new DOMException("The turn is over.", "AbortError");

/** Why a turn is stopped from outside: it ends, or (`shutdown`) another process goes on with it. */
export type Stop = EndTurn | { readonly kind: "shutdown"; readonly reason: string };

/** A session that this process drives. */
export interface Driven {
  turn(): string | null;
  /** Stops the turn, `gently` after its step. The first reason given stands. Resolves when it has ended or was let go. */
  stop(why: Stop, gently?: boolean): Promise<void>;
  /** Somebody has spoken to the session: what they said is in the log. */
  nudge(): void;
  /** What the first commit wrote. Rejects when it was refused: nothing has happened then. */
  readonly begun: Promise<readonly AnyEvent[]>;
  /** Resolves when there is nothing more to do here and the lease is given back. Never rejects. */
  readonly done: Promise<Carried | undefined>;
}

export interface DriveOptions {
  readonly lease: Lease;
  readonly carried: Carried;
  /** A new turn to begin with; without it, what the state says. */
  readonly begin?: Beginning;
  readonly keys?: readonly string[];
  /** Why an open turn is gone on with. */
  readonly resume?: string;
  /** Nothing but the end of the open turn. */
  readonly stop?: Stop;
  /** With `stop`: where no turn is open, that of the request that waits. It begins only to end, so that its end is on record. */
  readonly stopHeld?: boolean;
}

/** Snapshots are written when so many events would have to be folded again. */
const SNAPSHOT_EVENTS = 500;

/**
 * Does what `next` says until there is nothing to do. Invariants:
 * 1. Every append is guarded by the lease's epoch; once the lease is lost, nothing more is appended.
 * 2. A turn ends or is parked: by the model, by a limit, by `stop`; or its lease is lost and others go on with it.
 * 3. While it waits for a person or for time, nothing is held here.
 */
export function drive(deps: LoopDeps, options: DriveOptions): Driven {
  const { log, timers, limits, report } = deps;
  const { lease, carried } = options;
  const session = lease.stream as SessionId;
  const journal = createJournal({ log, clock: deps.clock, told: deps.children.wake }, lease, carried);
  const only = delegationOf(carried.state)?.tools;
  const place = createPlace(
    { workspaces: deps.workspaces, roots: deps.roots, state: () => journal.state.settings },
    session,
  );
  const begun = Promise.withResolvers<readonly AnyEvent[]>();
  let abort = new AbortController();
  const turnTo = (fresh: AbortController): void => void (context.signal = (abort = fresh).signal);
  let stopped = options.stop;
  let closing = false;
  let spoken = false;
  let heeds = false;
  let halted = Promise.withResolvers<void>();
  let lost = false;
  let over = false;
  let since = deps.clock.now();

  // No getter here: one in a literal gives every object a shape of its own, and each step looks its fields up anew.
  const context: Drive & { signal: AbortSignal } = {
    ...deps,
    ...(only === undefined ? {} : { tools: restricted(deps.tools, only) }),
    session,
    place,
    journal: {
      ...journal,
      async flush() {
        const events = await journal.flush();
        carried.since += events.length;
        if (events.length > 0) begun.resolve(events);
        tellSupervisors(context, events);
        return events;
      },
    },
    signal: abort.signal,
    since: () => since,
    leaves: () => lost || stopped?.kind === "shutdown",
    spoken() {
      const was = spoken;
      spoken = false;
      return was;
    },
  };

  /** What was said to it is known before the next step: that may be that it should wait. */
  async function heed(): Promise<void> {
    heeds = false;
    await journal.catchUp();
  }

  function released(): void {
    halted.resolve();
    halted = Promise.withResolvers();
  }

  function lose(): void {
    lost = true;
    abort.abort();
  }

  /** Whether to go on. */
  async function perform(step: Step): Promise<boolean> {
    switch (step.kind) {
      case "idle":
        await context.journal.flush();
        return false;
      case "begin": {
        // What waits is begun by the process that comes after this one.
        if (closing) {
          await context.journal.flush();
          return false;
        }
        turnTo(new AbortController());
        // The turn it was meant for is over.
        stopped = undefined;
        released();
        since = deps.clock.now();
        emitBegin(context, { ...step.input, cause: step.input.input_id });
        return true;
      }
      case "hold":
      case "drop":
        await kernelStep(context, step);
        return true;
      case "call":
        reportStep(context, step.step);
        await callStep(context, step);
        return true;
      case "reflect":
        reportStep(context, step.step);
        await reflectStep(context, step);
        return true;
      case "judge":
        await judgeStep(context, step.calls);
        return true;
      case "settle":
        await settleStep(context, step.calls);
        return true;
      case "run":
        if (withinTime(context)) await runStep(context, step.calls, step.wave);
        return true;
      case "gather":
        gatherStep(context, step.calls);
        return true;
      case "verdict":
        await verdictStep(context, step.calls);
        return true;
      case "park":
        return parkStep(context, step);
      case "review":
        await reviewStep(context, step.owed);
        return true;
      case "complete":
        await completeStep(context, step);
        return true;
      case "cancel":
        await endTurn(context, step);
        return true;
      case "stop":
        await endTurn(context, { kind: "fail", code: "hook_blocked", error: step.reason });
        return true;
      case "fail":
        await endTurn(context, { kind: "fail", code: step.code, error: TURN_FAILURES[step.code] });
        return true;
    }
  }

  async function halt(why: Stop): Promise<boolean> {
    if (journal.state.turn === null) return true;
    if (why.kind !== "shutdown") {
      await endTurn(context, why);
      return true;
    }
    if (journal.state.turn.waits === null) emitTurn(context, { kind: "park", waits: [], reason: why.reason });
    await context.journal.flush();
    return false;
  }

  async function loop(): Promise<void> {
    await journal.catchUp();
    if (stopped === undefined) await expireWhenDue(context);
    if (options.stop === undefined) await deps.tools.ready(abort.signal);
    const [held] = journal.state.held;
    if (options.begin !== undefined) emitBegin(context, options.begin);
    else if (options.stopHeld === true && journal.state.turn === null && held !== undefined)
      emitBegin(context, { ...held, cause: held.input_id });
    else if (stopped === undefined && options.resume !== undefined && readyToGoOn(context))
      await resumeTurn(context, options.resume);
    journal.claim(options.keys ?? []);
    const watch = watchMoves(journal, () => next(journal.state, limits).kind);
    for (let going = true; going && !lost;) {
      watch();
      if (stopped !== undefined && journal.state.turn !== null) {
        const why = stopped;
        stopped = undefined;
        going = (await halt(why)) && options.stop === undefined;
        released();
        continue;
      }
      // Nothing is open that could be stopped: what waits is for the next process, or for the next one here.
      if (stopped !== undefined && (stopped.kind === "shutdown" || options.stop !== undefined)) {
        await context.journal.flush();
        break;
      }
      if (heeds) await heed();
      const opened = place.open(context);
      if (opened !== true && !(await opened)) continue;
      going = await perform(next(journal.state, limits));
    }
    // Others may hold the lease by now, or nobody: what was done is written if it still can be.
    if (lost) await context.journal.flush();
    if (lost || carried.since < SNAPSHOT_EVENTS || journal.state.turn !== null) return;
    if (!(await mayTidyUp(context))) return;
    journal.emit([snapshotEvent(carried)]);
    await context.journal.flush();
    carried.since = 0;
  }

  async function run(): Promise<Carried | undefined> {
    const letGo = keepLease({ log, timers, leaseMs: limits.leaseMs, lost: lose }, lease);
    // Nobody may be listening.
    begun.promise.catch(() => {});
    let left: Carried | undefined;
    try {
      await loop();
      if (!lost) left = carried;
      begun.resolve([]);
    } catch (error) {
      begun.reject(error);
      abort.abort();
      left = lost ? undefined : await giveUp(deps, lease, error, options.resume !== undefined);
    } finally {
      over = true;
      letGo();
      abort.abort(OVER);
      await log.releaseLease(lease).catch(report);
      halted.resolve();
    }
    return left;
  }

  return {
    turn: () => journal.state.turn?.turn_id ?? null,
    stop(why, gently = false) {
      if (over) return Promise.resolve();
      if (why.kind === "shutdown") closing = true;
      stopped ??= why;
      if (!gently) abort.abort();
      return halted.promise;
    },
    nudge: () => void (spoken = heeds = true),
    begun: begun.promise,
    done: run(),
  };
}
