import {
  type ArtifactRow,
  type Channel,
  type CheckpointRow,
  NATIVE_AGENT,
  RESUME_EVENTS,
  type ResumePoint,
  type SessionId,
  type SessionRow,
  type SubagentRow,
  type Told,
  channelOf,
  resumePoints,
} from "@fairlead/contract";
import { told, typesNamed } from "../domain/told.ts";
import type { EventLog, ReadOptions } from "../ports/event-log.ts";
import type { Health } from "./health/health.ts";
import type { Details, Sessions } from "./types.ts";

export interface DetailsDeps {
  readonly log: EventLog;
  readonly sessions: Pick<Sessions, "get">;
  readonly health: Pick<Health, "of">;
}

const LIMIT = 200;
/** The log gives no larger page. */
const PAGE = 1_000;
/** Pages that are looked through for events with a name before fewer are shown. */
const MOST_PAGES = 5;
const POINT_TYPES = typesNamed(RESUME_EVENTS);
/** A point is made of no more events than this: the turn's start and its end. */
const EVENTS_A_POINT = 2;

/** What a session's page shows beside the row: folds of the log, each bounded, made when they are asked for. */
export function createDetails({ log, sessions, health }: DetailsDeps): Details {
  /** The last so many that are told, oldest first. */
  async function lastTold(id: SessionId, most: number, options: ReadOptions = {}): Promise<Told[]> {
    const found: Told[] = [];
    let before: number | null = Number.MAX_SAFE_INTEGER;
    for (let page = 0; page < MOST_PAGES && before !== null && found.length < most; page++) {
      const limit = Math.min(PAGE, most - found.length);
      const { events, next } = await log.read(id, { ...options, before, limit });
      for (const event of events) {
        const one = event.type === "runtime.log.gap" ? null : told(event);
        if (one !== null) found.push(one);
      }
      before = next;
    }
    return found.toReversed();
  }

  async function channel({ session_id, state }: SessionRow, most: number): Promise<Channel> {
    const agent = state?.agent_profile ?? NATIVE_AGENT;
    return channelOf({ session_id, agent, events: await lastTold(session_id, most) });
  }

  async function points(id: SessionId, most: number): Promise<ResumePoint[]> {
    const options = { types: POINT_TYPES, history: "full" } as const;
    return resumePoints(await lastTold(id, most * EVENTS_A_POINT, options)).slice(-most);
  }

  /** Without those that were trimmed away: nobody can go on from them. */
  async function checkpoints(id: SessionId, limit: number): Promise<CheckpointRow[]> {
    const [rows, stream] = await Promise.all([
      rowsOf<CheckpointRow>("checkpoint", id, limit),
      log.stream(id),
    ]);
    return rows.filter(({ seq }) => seq > (stream?.floor_seq ?? 0));
  }

  async function rowsOf<T>(kind: string, stream: SessionId, limit: number): Promise<T[]> {
    return [...(await log.rows<T>(kind, { stream, scope: { owner: "any" }, limit })).rows];
  }

  return {
    async chat(actor, ref, { limit = LIMIT } = {}) {
      const row = await sessions.get(actor, ref);
      return {
        ...row,
        resume_points: await points(row.session_id, limit),
        subagents: await rowsOf<SubagentRow>("subagent", row.session_id, limit),
        background_artifacts: await rowsOf<ArtifactRow>("artifact", row.session_id, limit),
        channel: await channel(row, limit),
      };
    },
    async session(actor, ref, { limit = LIMIT } = {}) {
      const row = await sessions.get(actor, ref);
      return {
        ...row,
        checkpoints: await checkpoints(row.session_id, limit),
        artifacts: await rowsOf<ArtifactRow>("artifact", row.session_id, limit),
        channel: await channel(row, limit),
        health: await health.of(row),
      };
    },
  };
}
