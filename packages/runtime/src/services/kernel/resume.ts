import type { NewEvent, SessionId, SessionState, Wait } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { isExpired, resumedAttempts } from "../../domain/kernel/background.ts";
import { movedEvents } from "../../domain/kernel/session-events.ts";
import { type KernelState, kernelNext } from "../../domain/kernel/table.ts";
import type { Wake } from "../../domain/wake.ts";
import { waitsBelow } from "../../domain/health/below.ts";
import { loadHealth } from "../health/load.ts";
import type { CommandKey } from "../idempotency.ts";
import type { StreamWrite } from "../../ports/event-log.ts";
import { appendBeside } from "../delegation/append.ts";
import { type Word, wordsBelow } from "../delegation/hold.ts";
import { taken } from "../refusal.ts";
import {
  demandState,
  eventually,
  type KernelDeps,
  type Loaded,
  lastCheckpoint,
  load,
  wakeAll,
  whileUndriven,
} from "./context.ts";
import { engineNamed } from "./engines.ts";
import { inputEvent } from "./start.ts";
import type { ResumeSession } from "./types.ts";

/** Said to a session whose turn is over, where nobody says more. */
const GO_ON = "Go on with the task from where it stopped.";

export interface Resuming {
  readonly session: SessionId;
  readonly actor: Actor;
  readonly input: ResumeSession;
  readonly command: CommandKey | undefined;
}

/** The same session goes on. Nothing is written when its state does not allow it, or the engine is gone. */
export async function resumeSession(deps: KernelDeps, resuming: Resuming): Promise<void> {
  const { session } = resuming;
  const { state } = await load(deps, session);
  const engine = engineNamed(deps.engines, state.engine ?? undefined);
  await eventually(deps, async () => {
    if (await withdrawPause(deps, resuming)) return true;
    return whileUndriven(deps, session, (lease) => goOn(deps, resuming, lease.epoch));
  });
  // Its time may have come to an end while it was paused: then it is taken up to say so, whatever it waits for.
  const { state: now } = await load(deps, session);
  // It is on record that it goes on: that nobody could take it up at once is no failure of who asked for it.
  await engine.wake(session, isExpired(now, deps.clock.now())).catch(deps.report);
}

/** Not paused yet where somebody wants it to be: two commands can meet, and who comes second only leaves the wish. */
const UNHEARD: ReadonlySet<string> = new Set(["running", "queued", "awaiting_approval"]);

/** A wish to pause that was not heard yet is taken back. */
async function withdrawPause(deps: KernelDeps, resuming: Resuming): Promise<boolean> {
  const { log } = deps;
  const loaded = await load(deps, resuming.session);
  const wake = await log.row<Wake>("wake", resuming.session);
  if (!UNHEARD.has(loaded.row.status) || wake?.paused !== true) {
    demandState(loaded, await eventOf(deps, loaded, wake));
    return false;
  }
  const { input, actor } = resuming;
  const said =
    input.input === undefined ? [] : [inputEvent(deps.ids.next("input"), "steer", input.input, actor.name)];
  await write(deps, resuming, [resumingEvent(resuming), ...said]);
  return true;
}

/** What waits for a time, itself or in what it delegated, is tried now; anything else goes on from where it stopped. */
async function eventOf(
  { log }: KernelDeps,
  { row }: Loaded,
  wake: Wake | undefined,
): Promise<"hasten" | "resume"> {
  if (wake?.turn !== "parked") return "resume";
  if (row.status === "queued") return wake.waits.some(({ kind }) => kind === "timer") ? "hasten" : "resume";
  if (row.status !== "running") return "resume";
  return waitsBelow((await loadHealth(log, row.session_id)).state) === undefined ? "resume" : "hasten";
}

async function goOn(deps: KernelDeps, resuming: Resuming, epoch: number): Promise<true> {
  const { log, clock, ids } = deps;
  const { session, actor, input } = resuming;
  const loaded = await load(deps, session);
  const wake = await log.row<Wake>("wake", session);
  const waits = wake?.waits ?? [];
  const { to, resume_context } = goesOnAs(loaded, waits, await eventOf(deps, loaded, wake));
  const idle = wake === undefined || (wake.turn === "none" && wake.held.length === 0);
  const said = input.input ?? (idle ? GO_ON : undefined);
  const events: NewEvent[] = [
    resumingEvent(resuming),
    ...(said === undefined
      ? []
      : [inputEvent(ids.next("input"), idle ? "queue" : "steer", said, actor.name)]),
    ...movedEvents({
      state: loaded.state,
      to,
      at: new Date(clock.now()).toISOString(),
      after: await lastCheckpoint(deps, session),
      type: "resumed",
      summary: `Resumed by ${actor.name}: ${reasonOf(resuming)}`,
      changes: {
        ended_at: null,
        resume_context,
        ...resumedAttempts(loaded.state, wake?.turn === "parked"),
      },
    }),
  ];
  // Where a person is asked whether it may go on at all, what it delegated waits for that too.
  const alone = to === "awaiting_approval" && !waits.some(({ kind }) => kind === "session");
  const below = alone ? [] : await wordsBelow(log, session, wordOf(resuming));
  await write(deps, resuming, events, epoch, below);
  await wakeAll(deps, loaded, below);
  return true;
}

async function write(
  { log }: KernelDeps,
  { session, command }: Resuming,
  events: readonly NewEvent[],
  epoch?: number,
  below: readonly StreamWrite[] = [],
): Promise<void> {
  const own = { stream: session, events, ...(epoch === undefined ? {} : { guard: { epoch } }) };
  taken(await appendBeside(log, own, below, command === undefined ? [] : [command.claim]));
}

function resumingEvent(resuming: Resuming): NewEvent {
  const { session, actor, command } = resuming;
  return {
    type: "runtime.session.resuming",
    cause: command?.cause ?? null,
    data: { session_id: session, actor: actor.name, reason: reasonOf(resuming) },
  };
}

function wordOf(resuming: Resuming): Word {
  return {
    type: "runtime.session.resuming",
    actor: resuming.actor.name,
    reason: reasonOf(resuming),
  };
}

function reasonOf({ input }: Resuming): string {
  return input.reason ?? "no reason given";
}

interface GoesOn {
  readonly to: KernelState;
  readonly resume_context: SessionState["resume_context"];
}

/** What is still open of before decides: a person is asked, or what was delegated is at work. Otherwise it is queued. */
function goesOnAs(loaded: Loaded, waits: readonly Wait[], event: "hasten" | "resume"): GoesOn {
  const resume_context = contextOf(loaded.state);
  const resumed = demandState(loaded, event);
  const { status } = loaded.row;
  const ask = kernelNext(status, "ask");
  if (waits.some(({ kind }) => kind === "question") && ask.ok) return { to: ask.state, resume_context };
  const session_ids = waits.flatMap((wait) => (wait.kind === "session" ? [wait.session_id] : []));
  const delegate = kernelNext(status, "delegate");
  if (session_ids.length > 0 && delegate.ok)
    return { to: delegate.state, resume_context: { kind: "delegated", session_ids } };
  return { to: resumed, resume_context };
}

const GONE: ReadonlySet<string> = new Set(["paused", "timer"]);

/** Without what was said about the pause, or the time that it waited for; that it is tried again after a failure stays. */
function contextOf({ resume_context }: SessionState): SessionState["resume_context"] {
  if (resume_context === null || resume_context === undefined) return null;
  const { paused_by: _by, paused_reason: _reason, ...context } = resume_context;
  return Object.keys(context).length === 0 || GONE.has(String(context["kind"])) ? null : context;
}
