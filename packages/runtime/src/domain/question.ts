import type { BlobRef, EventId, QuestionRow, SessionId } from "@fairlead/contract";
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
    const { decision, decided_at, actor, note } = event.data;
    return { ...row, state: decision, decided_at, actor, note: note ?? null };
  },
  state: (row) => row.state,
  at: (row) => Date.parse(row.asked_at),
};
