import { type ComparedSide, FairleadError, type SessionComparison } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import { countDeed, noDeeds } from "../../domain/compare.ts";
import { is } from "../../domain/event.ts";
import type { EventLog, StreamInfo } from "../../ports/event-log.ts";
import type { SnapshotRef, Workspaces } from "../../ports/workspaces.ts";
import { demand } from "../refusal.ts";
import type { Sessions } from "../types.ts";
import { snapshotAtFork } from "../workspaces/at-fork.ts";
import { type FoundSnapshot, newestSnapshot } from "../workspaces/newest.ts";
import { commonAncestor } from "./ancestor.ts";

export interface Comparisons {
  /** What each of two sessions did since the place that both share. Throws session_not_found, session_purged. */
  compare(actor: Actor, a: string, b: string): Promise<SessionComparison>;
}

export interface ComparisonsDeps {
  readonly log: EventLog;
  readonly sessions: Pick<Sessions, "get" | "resolve">;
  readonly workspaces?: Workspaces;
}

const PAGE = 1_000;
/** Events of a side that are looked at. */
const MOST_EVENTS = 50_000;

export function createComparisons({ log, sessions, workspaces }: ComparisonsDeps): Comparisons {
  async function sideOf(actor: Actor, stream: StreamInfo, since: number): Promise<ComparedSide> {
    const row = await sessions.get(actor, stream.id);
    const deeds = noDeeds();
    let truncated = false;
    for (let after: number | null = since; after !== null && !truncated;) {
      const page = await log.read(stream.id, { after, limit: PAGE, history: "full" });
      for (const event of page.events) countDeed(deeds, event);
      after = page.next;
      truncated = after !== null && deeds.events >= MOST_EVENTS;
    }
    const ended = await lastEnded(log, stream, since);
    const { session_id, title, status, head_seq, state } = row;
    return {
      session_id,
      title,
      status,
      head_seq,
      model: state?.model ?? null,
      permission_mode: state?.permission_mode ?? null,
      approval_mode: state?.approval_mode ?? null,
      instructions: state?.instructions ?? null,
      ...deeds,
      // They part right after its end: what it came to is shared, though it is said later.
      turns: deeds.turns.filter(({ turn_id, input }) => input !== "" || turn_id !== ended),
      files: null,
      truncated,
    };
  }

  const snapshotOf = (stream: StreamInfo) => newestSnapshot(log, stream.id, stream.head_seq);

  /** What it changed since the place that both share; from the beginning, where it had no files of its own there. */
  async function filesSince(stream: StreamInfo, now: FoundSnapshot | undefined, since: number) {
    if (workspaces === undefined || now === undefined) return null;
    const then = since === 0 ? undefined : (await snapshotAtFork(log, stream.id, since))?.snapshot;
    const found = await differing(then ?? { workspace_id: now.workspace_id, ref: now.base }, now);
    return found === undefined ? null : [...found.files];
  }

  /** Undefined where they cannot be compared. */
  async function differing(from: SnapshotRef, to: SnapshotRef) {
    try {
      return await workspaces?.diff(from, to);
    } catch (error) {
      if (error instanceof FairleadError) return undefined;
      throw error;
    }
  }

  return {
    async compare(actor, first, second) {
      demand(actor, "session.read");
      const [a, b] = [await sessions.resolve(actor, first), await sessions.resolve(actor, second)];
      const shared = await commonAncestor(log, a, b);
      const since = shared?.seq ?? 0;
      const [here, there] = [await snapshotOf(a), await snapshotOf(b)];
      const between = here === undefined || there === undefined ? undefined : await differing(here, there);
      return {
        ancestor: shared === undefined ? null : await ancestorOf(log, a, shared),
        a: { ...(await sideOf(actor, a, since)), files: await filesSince(a, here, since) },
        b: { ...(await sideOf(actor, b, since)), files: await filesSince(b, there, since) },
        files:
          between === undefined
            ? null
            : { changed: [...between.files], diff: between.text, truncated: between.truncated },
        files_note: between === undefined ? whyNot(here, there) : null,
      };
    },
  };
}

/** The turn that had ended last at this place; null where none had, or one is open. */
async function lastEnded(log: EventLog, { id }: StreamInfo, at: number): Promise<string | null> {
  const types = ["runtime.request.started", "runtime.turn.ended"];
  const { events } = await log.read(id, { before: at + 1, types, limit: 1, history: "full" });
  const [last] = events;
  const isEnd = last !== undefined && is(last, "runtime.turn.ended") && last.data.status !== "parked";
  return isEnd ? last.data.turn_id : null;
}

async function ancestorOf(log: EventLog, a: StreamInfo, shared: { session: string; seq: number }) {
  const { seq } = shared;
  const page = await log.read(a.id, { after: Math.max(0, seq - 1), limit: 1, history: "full" });
  const event = page.events.find((one) => one.seq === seq);
  return { session_id: shared.session, seq, event_id: event?.id ?? null, type: event?.type ?? null };
}

function whyNot(here: FoundSnapshot | undefined, there: FoundSnapshot | undefined): string {
  if (here === undefined && there === undefined) return "Neither has a workspace of its own.";
  if (here === undefined) return "The first has no workspace of its own.";
  if (there === undefined) return "The second has no workspace of its own.";
  return "Their files are not kept on this machine, or are not of one project.";
}
