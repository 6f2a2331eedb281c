import type { AnyEvent, StreamId } from "@fairlead/contract";
import { is } from "../../domain/event.ts";
import type { StoredSession } from "../../domain/session.ts";
import { filesAtFork } from "../../domain/workspace/at-fork.ts";
import { isBeside, isUnkept, isUnkeptProject, whyUnkept } from "../../domain/workspace/own-place.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { type FoundSnapshot, newestSnapshot, nextSnapshot } from "./newest.ts";
import { reading } from "./reading.ts";
import { afterFork, waveAt } from "./wave.ts";

export interface SnapshotAtFork {
  readonly snapshot: FoundSnapshot;
  /** How its files may differ from what they were at the fork, for people; null where they do not. */
  readonly note: string | null;
  /** Why the project was not kept when it was last written before the fork: the snapshot has older files than that. */
  readonly unkept?: string;
}

const MISSING = "The files could not be kept since: what was changed later may be missing.";

/** The files as they were when this was the last event; undefined where none were kept. */
export async function snapshotAtFork(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<SnapshotAtFork | undefined> {
  const before = await newestSnapshot(log, session, fork);
  if (before === undefined) return beforeTheFirst(log, session, fork);
  const wave = await waveAt(log, session, before.seq, fork);
  const { comes, snapshot = before, unkept } = await afterFork(log, session, fork);
  // What a person's own call begins with came after the fork, unless that call had begun.
  const then = wave?.writes !== true && isBeside(snapshot.workspace_id) ? "over" : comes;
  const { take, note } = filesAtFork(fork, wave, then);
  if (take === "after") return { snapshot, note };
  const last = wave?.writes === true && wave.ended > 0 ? unkept : undefined;
  const lost = (await unkeptIn(log, session, before.seq, fork)) ?? last;
  if (lost === undefined) return { snapshot: before, note };
  const why = isUnkeptProject(lost) ? whyUnkept(lost) : undefined;
  return { snapshot: before, note: note ?? MISSING, ...(why === undefined ? {} : { unkept: why }) };
}

/** Where nothing was kept yet: what was kept before anything was written, or what a sub-agent began with. */
async function beforeTheFirst(
  log: EventLog,
  session: StreamId,
  fork: number,
): Promise<SnapshotAtFork | undefined> {
  const kind = (await log.stream(session))?.kind;
  // Background work begins with a place of its own, and has none before.
  if (kind === "background") return undefined;
  const first = await nextSnapshot(log, session, fork);
  if (first !== undefined)
    return (await unkeptIn(log, session, fork, first.seq)) === undefined
      ? { snapshot: first, note: null }
      : undefined;
  const started = kind === "subagent" ? await startOf(log, session) : undefined;
  return started === undefined ? undefined : snapshotAtFork(log, started.stream, started.seq);
}

/** Where the session above says that this one was started. */
async function startOf(log: EventLog, session: StreamId): Promise<AnyEvent | undefined> {
  const { state } = (await log.row<StoredSession>("session", session)) ?? {};
  const above = state?.delegation?.parent_session_id as StreamId | undefined;
  if (above === undefined) return undefined;
  for await (const event of reading(log, above, { types: ["runtime.subagent.event"] }))
    if (is(event, "runtime.subagent.event") && event.data.session_id === session) return event;
  return undefined;
}

/** Where it was said that they could not be kept. */
async function unkeptIn(
  log: EventLog,
  session: StreamId,
  since: number,
  upTo: number,
): Promise<AnyEvent | undefined> {
  for await (const event of reading(log, session, { after: since, types: ["runtime.sandbox.notice"] })) {
    if (event.seq > upTo) return undefined;
    if (isUnkept(event)) return event;
  }
  return undefined;
}
