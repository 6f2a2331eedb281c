import {
  type AnyEvent,
  FairleadError,
  type InputId,
  type SessionId,
  type TurnId,
  isId,
} from "@fairlead/contract";
import type { Actor } from "../domain/actor.ts";
import { isOpen } from "../domain/turn.ts";
import { OWN_AGENT } from "../domain/turn-decide.ts";
import { type Wake, type WakeState, isBackgroundRow, wakeState } from "../domain/wake.ts";
import { BACKGROUND } from "../domain/kernel/background.ts";
import type { Lease, StreamInfo } from "../ports/event-log.ts";
import { commandStream } from "./access.ts";
import { createStopChild } from "./delegation/stop-child.ts";
import { type CommandKey, commandKey, firstResult } from "./idempotency.ts";
import type { LoopDeps } from "./loop/context.ts";
import { type Driven, type DriveOptions, drive } from "./loop/drive.ts";
import type { States } from "./loop/states.ts";
import { badRequest, demand, refused, taken } from "./refusal.ts";
import { activeElsewhere, createCancel } from "./turn/cancel.ts";
import { heedCancel } from "./turn/cancel-elsewhere.ts";
import { loadSession } from "./turn/load-session.ts";
import { createRecovery, isDue } from "./turn/recovery.ts";
import { createRoom } from "./turn/room.ts";
import type { SaidInput, StartedTurn, Turns } from "./types.ts";
import { isElsewhere } from "./workspaces/elsewhere.ts";

/** A lease is given back a moment after the turn's end is seen: how long, and how often, to wait for that. */
const HANDOVER_MS = 20;
const HANDOVER_TRIES = 50;

/** Somebody may have spoken while a run found nothing to do: so often it is looked at again at once. */
const MOST_STILL = 3;

export interface TurnsDeps extends Omit<LoopDeps, "children"> {
  readonly states: States;
  /** Goes on with what another engine drives. False where that is not installed here: other processes have it. */
  readonly byEngine?: (engine: string, session: SessionId) => Promise<boolean>;
}

export function createTurns({ byEngine = async () => false, states, ...given }: TurnsDeps): Turns {
  const { log, ids, timers, limits, clock, report } = given;
  const { endOpen, cancelHeld } = createCancel({ log, timers, runs: (id) => runs.get(id), acquire, launch });
  const deps: LoopDeps = {
    ...given,
    children: {
      wake: (id) => void (isId("session", id) ? tracked(goOn(id)).catch(report) : undefined),
      nudge: (id) => void runs.get(id)?.nudge(),
      stop: createStopChild({
        log,
        pause,
        report,
        cancel: (id, why) => endOpen(id, OWN_AGENT, why),
        cancelHeld,
      }),
    },
  };
  const runs = new Map<SessionId, Driven>();
  const starting = new Set<Promise<unknown>>();
  let stopping: string | undefined;
  const { recover, nextDue, onTimer, left, crowded } = createRecovery({
    log,
    clock,
    report,
    wake: (id, engine) => (engine === undefined ? wake(id) : byEngine(engine, id)),
    hasRoom: () => room.has(),
    isElsewhere: leftToOthers,
  });
  const room = createRoom(limits.background, crowded);

  // A holder for each try, not one for the process: so that a process does not take a lease from itself.
  function acquire(session: SessionId): Promise<Lease | undefined> {
    return log.acquireLease(session, ids.next("attempt"), limits.leaseMs);
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => void timers.after(HANDOVER_MS, resolve));
  }

  /** Its files are on another machine, whose processes go on with it. Where there are no others, it is told that it cannot. */
  function leftToOthers({ host }: Wake): boolean {
    return log.shared && isElsewhere(host, deps.workspaces?.host());
  }

  /** The lease, or the turn that this same command already started. Throws turn_active. */
  async function takeLease(session: SessionId, command: CommandKey | undefined): Promise<Lease | AnyEvent> {
    let met: Driven | undefined;
    for (let tries = 0; ; tries++) {
      const run = runs.get(session);
      const lease = await acquire(session);
      if (lease !== undefined) return lease;
      const row = await loadSession(log, session);
      const first = await firstResult(log, command);
      if (first !== undefined) return first;
      if (isOpen(row.turn) || tries === HANDOVER_TRIES) throw activeElsewhere(row);
      // One that has just begun here may be this same command; one that has begun is about to end.
      if (run !== undefined && run !== met) await run.begun.catch(() => {});
      else await Promise.race([...(run === undefined ? [] : [run.done]), pause()]);
      met = run;
    }
  }

  /** `still`: so many runs before this one, without a pause, left everything as it was. */
  async function launch(
    lease: Lease,
    options: Omit<DriveOptions, "lease" | "carried">,
    still = 0,
  ): Promise<Driven> {
    const session = lease.stream as SessionId;
    let carried;
    try {
      carried = await states.take(session);
    } catch (error) {
      await log.releaseLease(lease).catch(report);
      throw error;
    }
    if (stopping !== undefined && options.stop === undefined) {
      await log.releaseLease(lease).catch(report);
      throw new FairleadError("shutting_down");
    }
    const { seq } = carried.state;
    const run = drive(deps, { lease, carried, ...options });
    runs.set(session, run);
    const heeding = log.shared ? heedCancel(log, session, run, carried.state.seq, report) : undefined;
    void run.done
      .then(async (carried) => {
        if (runs.get(session) === run) runs.delete(session);
        room.leave(session);
        if (carried !== undefined) states.keep(session, carried);
        left(session, carried);
        await heeding;
        // Somebody may have said something after we looked for the last time, and found us holding the lease.
        if (carried === undefined) return;
        await wake(session, ["held", "ready"], false, carried.state.seq === seq ? still + 1 : 0);
      })
      .catch(report);
    return run;
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
    const session = chatOnly(await commandStream(log, actor, ref));
    const command =
      idempotencyKey === undefined
        ? undefined
        : commandKey(actor, idempotencyKey, { command: "turn.start", session, input });
    const first = await firstResult(log, command);
    if (first !== undefined) return startedBy(first);
    const lease = await takeLease(session, command);
    if (!("epoch" in lease)) return startedBy(lease);
    const run = await launch(lease, {
      begin: { input, actor: actor.name, cause: command?.cause ?? null },
      ...(command === undefined ? {} : { keys: [command.claim] }),
    });
    try {
      const [event] = await run.begun;
      return { session_id: session, turn_id: event?.turn_id as TurnId, seq: event?.seq ?? 0 };
    } catch (error) {
      const before = await firstResult(log, command);
      if (before !== undefined) return startedBy(before);
      // One that nobody drives is gone on with, instead.
      if (error instanceof FairleadError && error.code === "turn_active")
        void run.done.then(() => wake(session));
      throw error;
    }
  }

  async function say(
    actor: Actor,
    ref: string,
    mode: "queue" | "steer",
    input: string,
    idempotencyKey: string | undefined,
  ): Promise<SaidInput> {
    if (stopping !== undefined) throw new FairleadError("shutting_down");
    demand(actor, "turn.start");
    if (input.trim() === "") throw badRequest("`input` must say something.");
    const stream = await commandStream(log, actor, ref);
    const session = mode === "queue" ? chatOnly(stream) : stream.id;
    const command =
      idempotencyKey === undefined
        ? undefined
        : commandKey(actor, idempotencyKey, { command: `turn.${mode}`, session, input });
    const before = await firstResult(log, command);
    if (before !== undefined) return saidBy(before);
    if (mode === "steer" && !isOpen((await loadSession(log, session)).turn))
      throw new FairleadError("turn_not_found");
    const appended = await log.append({
      writes: [
        {
          stream: session,
          events: [
            {
              type: "runtime.input.queued",
              cause: command?.cause ?? null,
              seal: true,
              data: { input_id: ids.next("input"), mode, input, actor: actor.name },
            },
          ],
        },
      ],
      ...(command === undefined ? {} : { keys: [command.claim] }),
    });
    if (!appended.ok) {
      const first = appended.refusal.code === "key_taken" ? await firstResult(log, command) : undefined;
      if (first === undefined) throw refused(appended.refusal);
      return saidBy(first);
    }
    runs.get(session)?.nudge();
    // It is said, whoever goes on with it: a failure here must not be taken for one to repeat.
    await goOn(session).catch(report);
    return saidBy(taken(appended)[0] as AnyEvent);
  }

  async function cancel(actor: Actor, ref: string, reason?: string): Promise<{ turn_id: string }> {
    demand(actor, "turn.cancel");
    const session = (await commandStream(log, actor, ref)).id;
    return endOpen(session, actor.name, reason ?? `cancelled by ${actor.name}`);
  }

  /** Goes on with a session that has something to go on with, unless somebody does already. */
  async function wake(
    session: SessionId,
    states?: readonly WakeState[],
    now = false,
    still = 0,
  ): Promise<boolean> {
    if (stopping !== undefined || runs.has(session)) return false;
    const row = await log.row<Wake>("wake", session);
    if (row === undefined || (!now && (leftToOthers(row) || !isDue(row, clock.now())))) return false;
    // Who has just let go of a turn that still runs has failed: it is taken up again, but not at once.
    if (states !== undefined && !states.includes(wakeState(row))) return false;
    // Its row and its log disagree: whoever looks again does so later, and nothing else is held up.
    if (still > MOST_STILL) throw new Error(`The session ${session} can go on, and nothing comes of it.`);
    const background = isBackgroundRow(row);
    if (background && !now && !room.take(session)) return false;
    let run: Driven | undefined;
    try {
      const lease = await acquire(session);
      if (lease === undefined) return false;
      const gone = wakeState(row) === "running";
      run = await launch(
        lease,
        {
          resume: gone ? "The process that drove it is gone." : "What it waited for is over.",
        },
        still,
      );
      return true;
    } catch (error) {
      if (stopping !== undefined) return false;
      throw error;
    } finally {
      if (run === undefined) room.leave(session);
    }
  }

  /** By whatever drives it: never by our own loop what another engine began. */
  async function goOn(session: SessionId): Promise<boolean> {
    const engine = (await log.row<Wake>("wake", session))?.engine;
    return engine === undefined ? wake(session) : byEngine(engine, session);
  }

  async function tracked<T>(work: Promise<T>): Promise<T> {
    starting.add(work);
    try {
      return await work;
    } finally {
      starting.delete(work);
    }
  }

  async function letGo(reason: string, gently: boolean): Promise<void> {
    stopping ??= reason;
    await Promise.allSettled(starting);
    const under = [...runs.values()];
    await Promise.all(under.map((run) => run.stop({ kind: "shutdown", reason }, gently)));
    await Promise.all(under.map((run) => run.done));
  }

  return {
    cancel,
    recover,
    nextDue,
    onTimer,
    goOn: (session) => tracked(goOn(session)),
    wake: (session, now) => tracked(wake(session, undefined, now)),
    nudge: (session) => void runs.get(session)?.nudge(),
    start: (actor, ref, input) => tracked(start(actor, ref, input)),
    queue: (actor, ref, { input, idempotencyKey }) =>
      tracked(say(actor, ref, "queue", input, idempotencyKey)),
    steer: (actor, ref, { input, idempotencyKey }) =>
      tracked(say(actor, ref, "steer", input, idempotencyKey)),
    drain: (reason) => letGo(reason, true),
    stop: (reason) => letGo(reason, false),
  };
}

/** What background work does is the kernel's to say; it can be steered like any other. */
function chatOnly({ id, kind }: StreamInfo & { readonly id: SessionId }): SessionId {
  if (kind === BACKGROUND) throw new FairleadError("session_background", { details: { session_id: id } });
  return id;
}

function startedBy(event: AnyEvent): StartedTurn {
  return { session_id: event.stream, turn_id: event.turn_id as TurnId, seq: event.seq };
}

function saidBy(event: AnyEvent): SaidInput {
  return {
    session_id: event.stream,
    input_id: (event.data as { input_id: InputId }).input_id,
    seq: event.seq,
  };
}
