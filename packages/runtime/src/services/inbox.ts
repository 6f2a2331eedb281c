import { FairleadError, type QuestionRow, type SessionRow } from "@fairlead/contract";
import type { Inbox } from "@fairlead/contract/inbox";
import { type Actor, scopeOf } from "../domain/actor.ts";
import { type Attention, seenBy } from "../domain/inbox/attention.ts";
import { inboxOf } from "../domain/inbox/inbox.ts";
import type { EventLog } from "../ports/event-log.ts";
import { commandStream } from "./access.ts";
import { demand, taken } from "./refusal.ts";
import type { Questions, Sessions } from "./types.ts";

export interface InboxService {
  /** What needs a person, for this one. */
  read(actor: Actor): Promise<Inbox>;
  /** This person has looked at the session, up to an event. Throws invalid_cursor beyond its end. */
  seen(actor: Actor, ref: string, upto_seq: number): Promise<{ session_id: string; seen_seq: number }>;
}

export interface InboxDeps {
  readonly log: EventLog;
  readonly sessions: Sessions;
  readonly questions: Questions;
}

/** Those that need somebody or are at work are looked for by their status: they may be older than the newest. */
const PRESSING = ["awaiting_approval", "paused", "needs_review", "failed", "running", "recovering", "queued"];
const NEWEST = 200;
const MOST = 1_000;

export function createInbox({ log, sessions, questions }: InboxDeps): InboxService {
  async function all<T>(page: (cursor?: string) => Promise<{ rows: readonly T[]; cursor: string | null }>) {
    const rows: T[] = [];
    for (let cursor: string | undefined; rows.length < MOST;) {
      const found = await page(cursor);
      rows.push(...found.rows);
      if (found.cursor === null) break;
      cursor = found.cursor;
    }
    return rows;
  }

  const withCursor = (cursor: string | undefined) => ({
    limit: 200,
    ...(cursor === undefined ? {} : { cursor }),
  });

  async function sessionsFor(actor: Actor, asked: readonly QuestionRow[]): Promise<readonly SessionRow[]> {
    const pressing = await all((cursor) => sessions.list(actor, { status: PRESSING, ...withCursor(cursor) }));
    const { rows: newest } = await sessions.list(actor, { limit: NEWEST });
    const found = new Map([...newest, ...pressing].map((row) => [row.session_id, row]));
    const missing = new Set(asked.map(({ session_id }) => session_id).filter((id) => !found.has(id)));
    for (const id of missing) {
      const row = await sessions.get(actor, id).catch(() => undefined);
      if (row !== undefined) found.set(id, row);
    }
    return [...found.values()];
  }

  async function attentionFor(actor: Actor, rows: readonly SessionRow[]): Promise<Map<string, Attention>> {
    const page = await log.rows<Attention>("attention", { scope: scopeOf(actor), limit: NEWEST });
    const found = new Map(page.rows.map((row) => [row.session_id as string, row]));
    for (const { session_id } of rows) {
      if (found.has(session_id)) continue;
      const row = await log.row<Attention>("attention", session_id);
      if (row !== undefined) found.set(session_id, row);
    }
    return found;
  }

  return {
    async read(actor) {
      demand(actor, "session.read");
      const asked = await all((cursor) => questions.list(actor, { state: "pending", ...withCursor(cursor) }));
      const rows = await sessionsFor(actor, asked);
      const attention = await attentionFor(actor, rows);
      return inboxOf({ name: actor.name, questions: asked, sessions: rows, attention });
    },
    async seen(actor, ref, upto_seq) {
      demand(actor, "session.read");
      const { id, head_seq } = await commandStream(log, actor, ref);
      if (upto_seq > head_seq)
        throw new FairleadError("invalid_cursor", {
          message: `The session ends at ${head_seq}.`,
          details: { upto_seq, head_seq },
        });
      const known = seenBy(await log.row<Attention>("attention", id), actor.name);
      if (known >= upto_seq) return { session_id: id, seen_seq: known };
      const data = { session_id: id, actor: actor.name, upto_seq };
      taken(await log.append({ writes: [{ stream: id, events: [{ type: "runtime.session.seen", data }] }] }));
      return { session_id: id, seen_seq: upto_seq };
    },
  };
}
