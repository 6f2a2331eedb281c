import {
  type BlobRef,
  type EventData,
  type EventId,
  type NewEvent,
  QUESTION_STATES,
  type QuestionId,
  type QuestionKind,
  type QuestionRow,
  type QuestionState,
  type Risk,
  type SessionId,
} from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { hashJson } from "./canonical.ts";
import { given } from "./given.ts";
import { is } from "./event.ts";

/** The row as kept: what is served, the event that asked, and where the parts too large for a row are. */
export type StoredQuestion = QuestionRow & {
  readonly asked_id: EventId;
  readonly turn_id: string | null;
  readonly blobs?: Readonly<Record<string, BlobRef>>;
};

/**
 * Stands on the stream of a session above a sub-agent for a question of that sub-agent, so that the session lists it.
 * The question itself is where it was asked.
 */
export interface SurfacedQuestion {
  readonly surfaced: true;
  readonly request_id: QuestionId;
  readonly state: QuestionState;
  readonly asked_at: string;
}

export type AnyQuestion = StoredQuestion | SurfacedQuestion;

export function isSurfaced(row: AnyQuestion): row is SurfacedQuestion {
  return "surfaced" in row;
}

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

function surfacedRow(
  row: AnyQuestion | undefined,
  { request_id, decision }: EventData<"runtime.subagent.event">,
  at: string,
): SurfacedQuestion {
  const state = decision === undefined ? "pending" : QUESTION_STATES.find((one) => one === decision);
  const asked_at = row !== undefined && isSurfaced(row) ? row.asked_at : at;
  return { surfaced: true, request_id: request_id as QuestionId, state: state ?? "expired", asked_at };
}

/** Of what was moved out of an event, the parts of this field. */
function blobsUnder(field: string, blobs: StoredQuestion["blobs"]): StoredQuestion["blobs"] {
  const inside = Object.entries(blobs ?? {}).filter(
    ([pointer]) => pointer === field || pointer.startsWith(`${field}/`),
  );
  return Object.fromEntries(inside);
}

/** What lists keep those apart by that end by themselves, so that these are found among many that do not. */
export const EXPIRING = "expiring";

/** By what open questions are found. */
export const OPEN: readonly string[] = ["pending", EXPIRING];

function expires(row: AnyQuestion): boolean {
  return !isSurfaced(row) && row.expires_at !== null;
}

export const questionProjection: Projection<AnyQuestion> = {
  kind: "question",
  types: ["runtime.question.asked", "runtime.question.decided", "runtime.subagent.event"],
  key(event) {
    if (is(event, "runtime.question.asked") || is(event, "runtime.question.decided"))
      return event.data.request_id;
    if (is(event, "runtime.subagent.event") && event.data.request_id !== undefined)
      return `${event.stream}/${event.data.request_id}`;
    return null;
  },
  evolve(row, event, stream) {
    if (is(event, "runtime.subagent.event")) return surfacedRow(row, event.data, event.at);
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
        ...given({
          agent_id: data.agent_id,
          parent_session_id: data.parent_session_id,
          root_session_id: data.root_session_id,
          depth: data.depth,
        }),
        asked_id: event.id,
        turn_id: event.turn_id,
        ...(event.blobs === undefined ? {} : { blobs: event.blobs }),
      };
    }
    if (row === undefined || isSurfaced(row) || !is(event, "runtime.question.decided")) {
      throw new Error(`Question event ${event.id} has nothing to change.`);
    }
    // The first decision stands, whatever the log says after it.
    if (row.state !== "pending") return row;
    const { decision, decided_at, actor, note, scope, grant_id, edited, moot } = event.data;
    const blobs = { ...row.blobs, ...blobsUnder("/edited", event.blobs) };
    return {
      ...row,
      ...(Object.keys(blobs).length === 0 ? {} : { blobs }),
      ...(edited === undefined ? {} : { edited }),
      state: decision,
      decided_at,
      actor,
      note: note ?? null,
      ...(scope === undefined ? {} : { scope }),
      ...(grant_id === undefined ? {} : { grant_id }),
      ...given({ moot }),
    };
  },
  state: (row) => (row.state === "pending" && expires(row) ? EXPIRING : row.state),
  at: (row) => Date.parse(row.asked_at),
};
