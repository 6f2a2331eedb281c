import { type CheckpointRow, FairleadError, type SessionId, type SessionState } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { BACKGROUND } from "../../domain/kernel/background.ts";
import type { KernelEvent, KernelState } from "../../domain/kernel/table.ts";
import { kernelNext } from "../../domain/kernel/table.ts";
import { type StoredSession, stateOf } from "../../domain/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { EventLog, Lease, StreamWrite } from "../../ports/event-log.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Timers } from "../../ports/timers.ts";
import { commandStream } from "../access.ts";
import type { Health } from "../health/health.ts";
import type { Redactor } from "../redaction.ts";
import { refused } from "../refusal.ts";
import { loadSession } from "../turn/load-session.ts";
import type { Branches, Sessions } from "../types.ts";

export interface KernelDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly sessions: Sessions;
  readonly branches: Branches;
  readonly engines: readonly Engine[];
  readonly health: Pick<Health, "of" | "record">;
  readonly redactor: Redactor;
  /** Told of what cannot be put in the log. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Throws session_not_background for a chat. */
export async function backgroundSession(log: EventLog, actor: Actor, ref: string): Promise<SessionId> {
  const { id, kind } = await commandStream(log, actor, ref);
  if (kind !== BACKGROUND)
    throw new FairleadError("session_not_background", { details: { session_id: id, kind } });
  return id;
}

/** Background work, and of a chat what it can be held to: its budgets. Throws session_not_background for the rest. */
export async function heldSession(
  log: EventLog,
  actor: Actor,
  ref: string,
  { max_retries, expires_at }: { readonly max_retries?: unknown; readonly expires_at?: unknown },
): Promise<SessionId> {
  const { id, kind } = await commandStream(log, actor, ref);
  const held = kind === "chat" && max_retries === undefined && expires_at === undefined;
  return held ? id : backgroundSession(log, actor, ref);
}

export interface Loaded {
  readonly row: StoredSession;
  readonly state: SessionState;
}

export async function load({ log }: Pick<KernelDeps, "log">, session: SessionId): Promise<Loaded> {
  const row = await loadSession(log, session);
  return { row, state: stateOf(row) };
}

/** The state after the event. Throws what the table refuses it with. */
export function demandState({ row }: Loaded, event: KernelEvent): KernelState {
  const next = kernelNext(row.status, event);
  if (!next.ok)
    throw refused({ ...next.refusal, details: { ...next.refusal.details, session_id: row.session_id } });
  return next.state;
}

/** The number of the last checkpoint of the session itself, also where the log has been trimmed since. */
export async function lastCheckpoint({ log }: Pick<KernelDeps, "log">, session: SessionId): Promise<number> {
  const query = { stream: session, scope: { owner: "any" }, limit: 1 } as const;
  const [last] = (await log.rows<CheckpointRow>("checkpoint", query)).rows;
  return last?.sequence ?? 0;
}

/** Shorter than `eventually` waits: who comes after a process that was lost with it need not come again. */
const LEASE_MS = 3_000;

/** Does something while nobody else drives the session. Undefined when somebody does. */
export async function whileUndriven<T>(
  { log, ids, report }: Pick<KernelDeps, "log" | "ids" | "report">,
  session: SessionId,
  work: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
  const lease = await log.acquireLease(session, ids.next("attempt"), LEASE_MS);
  if (lease === undefined) return undefined;
  try {
    return await work(lease);
  } finally {
    await log.releaseLease(lease).catch(report);
  }
}

/** Those that were told something hear it: at their next boundary here, or when they are taken up for it. */
export async function wakeAll(
  { engines, report }: Pick<KernelDeps, "engines" | "report">,
  { state }: Loaded,
  told: readonly StreamWrite[],
): Promise<void> {
  const engine = engines.find(({ id }) => id === state.engine);
  for (const { stream } of told) {
    engine?.nudge(stream as SessionId);
    await engine?.wake(stream as SessionId).catch(report);
  }
}

const AGAIN_MS = 20;
const TRIES = 250;

/** Tries until it is not undefined: who drives a session lets go of it in a moment, or has begun something. */
export async function eventually<T>(
  { timers }: Pick<KernelDeps, "timers">,
  work: () => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const done = await work();
    if (done !== undefined) return done;
    await new Promise<void>((resolve) => void timers.after(AGAIN_MS, resolve));
  }
  throw new FairleadError("turn_active", { message: "Another process holds this session." });
}
