import { FairleadError, type QuestionRow, type SessionRow } from "@fairlead/contract";
import { INBOX_GROUPS, type Inbox, type InboxGroup } from "@fairlead/contract/inbox";
import { type Actor, scopeOf } from "../domain/actor.ts";
import { type Attention, seenBy } from "../domain/inbox/attention.ts";
import { inboxEntries } from "../domain/inbox/inbox.ts";
import { standingOf } from "../domain/inbox/standing.ts";
import { type StoredQuestion, toQuestionRow } from "../domain/question.ts";
import { type StoredSession, toSessionRow } from "../domain/session.ts";
import type { EventLog } from "../ports/event-log.ts";
import { commandStream } from "./access.ts";
import { type Walk, walksOf } from "./inbox-walks.ts";
import { demand, taken } from "./refusal.ts";

export interface InboxService {
  /** What needs a person, for this one: the first of each group, or more of one. Throws invalid_cursor. */
  read(actor: Actor, more?: { readonly group?: InboxGroup; readonly cursor?: string }): Promise<Inbox>;
  /**
   * This person has seen the session, up to an event. A mere look is no word on what failed or needs review: that
   * stays. Throws invalid_cursor beyond its end.
   */
  seen(actor: Actor, ref: string, what: Seen): Promise<{ session_id: string; seen_seq: number }>;
}

export interface Seen {
  readonly upto_seq: number;
  readonly look?: boolean | undefined;
}

/** How much of each group is listed at a time. */
const PAGE: Record<InboxGroup, number> = {
  needs_input: 50,
  needs_review: 50,
  done: 30,
  working: 30,
  idle: 20,
};

interface Found {
  readonly questions: readonly QuestionRow[];
  readonly attention: readonly Attention[];
  /** Where each walk goes on; null: it is at its end. */
  readonly cursors: readonly (string | null)[];
}

/** Every read is bounded by a page, however many sessions there are; what is counted is counted by the store. */
export function createInbox({ log }: { readonly log: EventLog }): InboxService {
  const rowsOf = async (actor: Actor, walk: Walk, limit: number, cursor: string | undefined) => {
    const { kind, ...query } = walk;
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    return log.rows<StoredQuestion | Attention>(kind, { ...query, scope: scopeOf(actor), ...page });
  };

  async function pageOf(actor: Actor, group: InboxGroup, from: readonly (string | null)[]): Promise<Found> {
    const walks = walksOf(actor.name)[group];
    const pages = await Promise.all(
      walks.map((walk, i) =>
        from[i] === null
          ? { rows: [], cursor: null }
          : rowsOf(actor, walk, PAGE[group], from[i] as string | undefined),
      ),
    );
    const of = (kind: Walk["kind"]) => pages.flatMap(({ rows }, i) => (walks[i]?.kind === kind ? rows : []));
    return {
      questions: (of("question") as StoredQuestion[]).map(toQuestionRow),
      attention: of("attention") as Attention[],
      cursors: pages.map(({ cursor }) => cursor),
    };
  }

  async function sessionsOf(actor: Actor, found: readonly Found[]): Promise<readonly SessionRow[]> {
    const ids = [
      ...new Set(
        found.flatMap(({ questions, attention }) =>
          [...questions, ...attention].map(({ session_id }) => session_id as string),
        ),
      ),
    ];
    if (ids.length === 0) return [];
    const { rows } = await log.rows<StoredSession>("session", {
      ids,
      scope: scopeOf(actor),
      limit: ids.length,
    });
    return rows.map((row) => toSessionRow(row, row.head_seq));
  }

  async function countsFor(actor: Actor): Promise<Inbox["counts"]> {
    const walks = walksOf(actor.name);
    const counts = INBOX_GROUPS.map(async (group) => {
      const found = walks[group].map(({ kind, state, where = [] }) =>
        log.count(kind, { state, where, scope: scopeOf(actor) }),
      );
      return [group, (await Promise.all(found)).reduce((sum, one) => sum + one, 0)];
    });
    return Object.fromEntries(await Promise.all(counts)) as Inbox["counts"];
  }

  return {
    async read(actor, { group, cursor } = {}) {
      demand(actor, "session.read");
      const groups = group === undefined ? INBOX_GROUPS : [group];
      const from = cursor === undefined ? [] : decoded(cursor);
      const found = await Promise.all(groups.map((one) => pageOf(actor, one, from)));
      const sessions = await sessionsOf(actor, found);
      const attention = new Map(
        found.flatMap((page) => page.attention.map((row) => [row.session_id as string, row])),
      );
      const questions = found.flatMap((page) => page.questions);
      return {
        entries: inboxEntries({ name: actor.name, questions, sessions, attention }),
        counts: await countsFor(actor),
        more: Object.fromEntries(groups.map((one, i) => [one, encoded(found[i]?.cursors ?? [])])),
      };
    },
    async seen(actor, ref, { upto_seq, look = false }) {
      demand(actor, "session.read");
      const { id, head_seq } = await commandStream(log, actor, ref);
      if (upto_seq > head_seq)
        throw new FairleadError("invalid_cursor", {
          message: `The session ends at ${head_seq}.`,
          details: { upto_seq, head_seq },
        });
      const attention = await log.row<Attention>("attention", id);
      const known = seenBy(attention, actor.name);
      const stays = look && attention !== undefined && standingOf(attention) === "needs_review";
      if (stays || known >= upto_seq) return { session_id: id, seen_seq: known };
      const data = { session_id: id, actor: actor.name, upto_seq };
      taken(await log.append({ writes: [{ stream: id, events: [{ type: "runtime.session.seen", data }] }] }));
      return { session_id: id, seen_seq: upto_seq };
    },
  };
}

/** Null when every walk is at its end. */
function encoded(cursors: readonly (string | null)[]): string | null {
  return cursors.every((cursor) => cursor === null)
    ? null
    : Buffer.from(JSON.stringify(cursors)).toString("base64url");
}

function decoded(cursor: string): readonly (string | null)[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const sound = (one: unknown) => one === null || typeof one === "string";
    if (Array.isArray(found) && found.length <= 2 && found.every(sound)) return found;
  } catch {
    // Not ours: reported below.
  }
  throw new FairleadError("invalid_cursor");
}
