import {
  FairleadError,
  type GrantId,
  type NewEvent,
  type QuestionId,
  type QuestionRow,
  type SessionId,
  isId,
} from "@fairlead/contract";
import { type Actor, SYSTEM_ACTOR, scopeOf, sees } from "../domain/actor.ts";
import { isShallow } from "../domain/canonical.ts";
import {
  type QuestionVerdict,
  decidedKey,
  decideQuestion,
  expireQuestion,
} from "../domain/question-decide.ts";
import {
  EXPIRING,
  OPEN,
  type AnyQuestion,
  type AskQuestion,
  type StoredQuestion,
  askedEvent,
  isDue,
  isSurfaced,
  toQuestionRow,
} from "../domain/question.ts";
import type { StoredSession } from "../domain/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventLog, RowPage } from "../ports/event-log.ts";
import type { Ids } from "../ports/ids.ts";
import { resolveStream } from "./access.ts";
import { appendBeside } from "./delegation/append.ts";
import { decidedAbove } from "./delegation/decided.ts";
import { type Redactor, redacted } from "./redaction.ts";
import { badRequest, demand, refused, taken } from "./refusal.ts";
import { everyRow, fittingRows } from "./rows.ts";
import type { Questions } from "./types.ts";
import { wholeData } from "./whole.ts";

export interface QuestionsDeps {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The log's own: the hash must be of what a person will see. */
  readonly redactor: Redactor;
}

export function createQuestions({ log, ids, clock, redactor }: QuestionsDeps): Questions {
  const listeners = new Set<(expires_at: number) => void>();
  const decidedListeners = new Set<(session: SessionId) => void>();

  async function load(id: string): Promise<StoredQuestion> {
    const row = isId("question", id) ? await log.row<StoredQuestion>("question", id) : undefined;
    if (row === undefined) throw new FairleadError("question_not_found", { details: { request_id: id } });
    return row;
  }

  /** The question, if the actor may know of it: whoever may not see its session gets the same answer as for none. */
  async function loadFor(actor: Actor, id: string): Promise<StoredQuestion> {
    demand(actor, "session.read");
    const row = await load(id);
    const stream = await log.stream(row.session_id);
    if (stream === undefined || !sees(actor, stream))
      throw new FairleadError("question_not_found", { details: { request_id: id } });
    if (stream.state === "purged")
      throw new FairleadError("session_purged", { details: { session_id: stream.id } });
    return row;
  }

  async function titleOf(session: SessionId): Promise<string | null> {
    return (await log.row<StoredSession>("session", session))?.title ?? null;
  }

  /** Records the verdict unless somebody was first; either way, the row as it stands after. */
  async function settle(
    row: StoredQuestion,
    verdict: QuestionVerdict,
  ): Promise<{ readonly row: StoredQuestion; readonly first: boolean }> {
    if (verdict.kind === "refuse") throw refused(verdict.refusal);
    if (verdict.kind === "keep") return { row, first: false };
    const appended = await appendBeside(
      log,
      { stream: row.session_id, events: [verdict.event] },
      await decidedAbove(log, row, verdict.event),
      [decidedKey(row.request_id)],
    );
    if (!appended.ok && appended.refusal.code !== "key_taken") taken(appended);
    if (appended.ok) for (const listener of decidedListeners) listener(row.session_id);
    return { row: await load(row.request_id), first: appended.ok };
  }

  async function expireIfDue(row: StoredQuestion): Promise<StoredQuestion> {
    const now = clock.now();
    if (!isDue(row, now)) return row;
    try {
      return (await settle(row, expireQuestion(row, SYSTEM_ACTOR.name, new Date(now).toISOString()))).row;
    } catch (error) {
      // Its session went in the meantime, and the question with it.
      if (error instanceof FairleadError && error.code === "session_purged") return row;
      throw error;
    }
  }

  function prepare(question: AskQuestion): { request_id: QuestionId; event: NewEvent } {
    const { shown, expires_at } = question;
    if (!isShallow(shown)) throw badRequest("`shown` nests too deep.");
    if (expires_at !== undefined && Number.isNaN(Date.parse(expires_at)))
      throw badRequest("`expires_at` is not a time.", { expires_at });
    const request_id = ids.next("question");
    const see = (whole: unknown): unknown => redacted(redactor, { shown: whole }).shown;
    return { request_id, event: askedEvent({ ...question, request_id }, see) };
  }

  function announce({ expires_at }: Pick<AskQuestion, "expires_at">): void {
    if (expires_at !== undefined) for (const listener of listeners) listener(Date.parse(expires_at));
  }

  async function expiring(): Promise<StoredQuestion[]> {
    const found: StoredQuestion[] = [];
    for await (const row of everyRow<AnyQuestion>(log, "question", { state: [EXPIRING] }))
      if (!isSurfaced(row)) found.push(row);
    return found;
  }

  return {
    prepare,
    announce,

    async ask(stream, question, beside) {
      const { request_id, event } = prepare(question);
      taken(
        await log.append({
          writes: [{ stream, events: [event, ...(beside?.events(request_id) ?? [])] }],
          ...(beside === undefined ? {} : { keys: beside.keys }),
        }),
      );
      announce(question);
      return toQuestionRow(await load(request_id));
    },

    async get(actor, id) {
      const row = await expireIfDue(await loadFor(actor, id));
      const whole = await wholeData(log, row.session_id, toQuestionRow(row), row.blobs);
      return { ...(whole as QuestionRow), session_title: await titleOf(row.session_id) };
    },

    async list(actor, query): Promise<RowPage<QuestionRow>> {
      demand(actor, "session.read");
      const stream =
        query.session_id === undefined ? undefined : (await resolveStream(log, actor, query.session_id)).id;
      const { kind, state, limit, cursor } = query;
      const wanted = {
        state: state === undefined ? undefined : state === "pending" ? OPEN : [state],
        stream,
        scope: scopeOf(actor),
        limit,
        cursor,
      };
      const page = await fittingRows<AnyQuestion, QuestionRow>(log, "question", wanted, async (found) => {
        // Of a sub-agent: listed where it was asked, and by the sessions above only when these are asked about.
        if (isSurfaced(found) && stream === undefined) return undefined;
        const asked = isSurfaced(found) ? await log.row<StoredQuestion>("question", found.request_id) : found;
        if (asked === undefined) return undefined;
        const row = await expireIfDue(asked);
        const fits =
          (kind === undefined || row.kind === kind) && (state === undefined || row.state === state);
        return fits ? toQuestionRow(row) : undefined;
      });
      return { ...page, rows: await titled(log, actor, page.rows) };
    },

    async decide(actor, id, decision) {
      const seen = await loadFor(actor, id);
      demand(actor, "question.decide");
      if (!isShallow(decision.edited) || !isShallow(decision.answer))
        throw badRequest("The decision nests too deep.");
      const row = await expireIfDue(seen);
      const at = new Date(clock.now()).toISOString();
      const grant_id = (): GrantId => ids.next("grant");
      const { row: after, first } = await settle(
        row,
        decideQuestion(row, actor.name, at, decision, grant_id),
      );
      if (first) return toQuestionRow(after);
      // Somebody was faster. Deciding on what stands now says what they decided.
      await settle(after, decideQuestion(after, actor.name, at, decision));
      throw new FairleadError("question_decided", { details: { request_id: id } });
    },

    async withdraw(request_id, note) {
      const row = await load(request_id);
      const at = new Date(clock.now()).toISOString();
      await settle(row, expireQuestion(row, SYSTEM_ACTOR.name, at, note));
    },

    async withdrawal(request_id, note) {
      const row = await load(request_id);
      const at = new Date(clock.now()).toISOString();
      const verdict = expireQuestion(row, SYSTEM_ACTOR.name, at, note);
      if (verdict.kind !== "record") return [];
      const { event } = verdict;
      return [{ key: decidedKey(request_id), event, above: await decidedAbove(log, row, event) }];
    },

    async expireDue() {
      const due = (await expiring()).filter((row) => isDue(row, clock.now()));
      let expired = 0;
      for (const row of due) if ((await expireIfDue(row)).state === "expired") expired += 1;
      return expired;
    },

    async nextDue() {
      const times = (await expiring()).map((row) => Date.parse(row.expires_at ?? ""));
      return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
    },

    onDecided(listener) {
      decidedListeners.add(listener);
      return () => void decidedListeners.delete(listener);
    },

    onAsked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** With what the sessions are called that ask, read at once. */
async function titled(
  log: Pick<EventLog, "rows">,
  actor: Actor,
  rows: readonly QuestionRow[],
): Promise<QuestionRow[]> {
  const ids = [...new Set(rows.map(({ session_id }) => session_id as string))];
  if (ids.length === 0) return [];
  const found = await log.rows<StoredSession>("session", { ids, scope: scopeOf(actor), limit: ids.length });
  const titles = new Map(found.rows.map(({ session_id, title }) => [session_id as string, title]));
  return rows.map((row) => ({ ...row, session_title: titles.get(row.session_id) ?? null }));
}
