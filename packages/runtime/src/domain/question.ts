import type {
  BlobRef,
  EventId,
  NewEvent,
  QuestionId,
  QuestionKind,
  QuestionRow,
  Risk,
  SessionId,
} from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { hashJson } from "./canonical.ts";
import { is } from "./event.ts";

/** The row as kept: what is served, the event that asked, and where the parts too large for a row are. */
export type StoredQuestion = QuestionRow & {
  readonly asked_id: EventId;
  readonly turn_id: string | null;
  readonly blobs?: Readonly<Record<string, BlobRef>>;
};

export function toQuestionRow(row: StoredQuestion): QuestionRow {
  const { asked_id: _id, turn_id: _turn, blobs: _blobs, ...served } = row;
  return served;
}

/** Binds a decision to what was shown: SHA-256 of its canonical JSON. */
export function shownHash(shown: unknown): string {
  return hashJson(shown);
}

export interface AskQuestion {
  readonly kind: QuestionKind;
  readonly tool_name: string;
  readonly reason: string;
  readonly asked_by?: string;
  readonly shown?: unknown;
  readonly risk?: Risk;
  readonly expires_at?: string;
  readonly tool_call_id?: string;
  readonly turn_id?: string;
  /** `mode`, `rule:ID`, or a supervisor's name. Without it a yes can be given for this call only. */
  readonly origin?: string;
  /** A pattern for the person to edit. */
  readonly pattern?: string;
}

/**
 * The event that asks, to be appended alone or with others. `see` gives what is left of `shown` once secrets are
 * taken out: the hash is of what a person sees. `expires_at` must be a time.
 */
export function askedEvent(
  question: AskQuestion & { readonly request_id: QuestionId },
  see: (shown: unknown) => unknown,
): NewEvent {
  const { turn_id = null, shown, expires_at, ...rest } = question;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    type: "runtime.question.asked",
    turn_id,
    seal: true,
    data: {
      ...(given as typeof rest),
      ...(shown === undefined ? {} : { shown, shown_hash: shownHash(see(shown)) }),
      ...(expires_at === undefined ? {} : { expires_at: new Date(expires_at).toISOString() }),
    },
  };
}

export function isDue(row: QuestionRow, now: number): boolean {
  return row.state === "pending" && row.expires_at !== null && Date.parse(row.expires_at) <= now;
}

export const questionProjection: Projection<StoredQuestion> = {
  kind: "question",
  types: ["runtime.question.asked", "runtime.question.decided"],
  key(event) {
    if (is(event, "runtime.question.asked") || is(event, "runtime.question.decided"))
      return event.data.request_id;
    return null;
  },
  evolve(row, event, stream) {
    if (is(event, "runtime.question.asked")) {
      const { data } = event;
      return {
        request_id: data.request_id,
        session_id: stream.id as SessionId,
        kind: data.kind,
        state: "pending",
        tool_name: data.tool_name,
        reason: data.reason,
        asked_by: data.asked_by ?? null,
        shown: data.shown ?? null,
        shown_hash: data.shown_hash ?? null,
        risk: data.risk ?? null,
        expires_at: data.expires_at ?? null,
        asked_at: event.at,
        asked_seq: event.seq,
        decided_at: null,
        actor: null,
        note: null,
        ...(data.tool_call_id === undefined ? {} : { tool_call_id: data.tool_call_id }),
        ...(data.origin === undefined ? {} : { origin: data.origin }),
        ...(data.pattern === undefined ? {} : { pattern: data.pattern }),
        asked_id: event.id,
        turn_id: event.turn_id,
        ...(event.blobs === undefined ? {} : { blobs: event.blobs }),
      };
    }
    if (row === undefined || !is(event, "runtime.question.decided")) {
      throw new Error(`Question event ${event.id} has nothing to change.`);
    }
    // The first decision stands, whatever the log says after it.
    if (row.state !== "pending") return row;
    const { decision, decided_at, actor, note, scope, grant_id } = event.data;
    return {
      ...row,
      state: decision,
      decided_at,
      actor,
      note: note ?? null,
      ...(scope === undefined ? {} : { scope }),
      ...(grant_id === undefined ? {} : { grant_id }),
    };
  },
  state: (row) => row.state,
  at: (row) => Date.parse(row.asked_at),
};
