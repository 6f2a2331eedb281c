import type { AnyEvent, ArtifactRow, SessionId } from "@fairlead/contract";
import type { Projection } from "../ports/projection.ts";
import { hashJson } from "./canonical.ts";
import { is } from "./event.ts";

/** What the work of a session left behind. One that is made again under its id takes the place of the earlier one. */
export const artifactProjection: Projection<ArtifactRow> = {
  kind: "artifact",
  types: ["runtime.artifact.created"],
  // Ids of artifacts come from whoever made them: of any length, and unique in their session at best.
  key: (event) =>
    is(event, "runtime.artifact.created") ? hashJson([event.stream, event.data.artifact.id]) : null,
  evolve(_row, event, stream) {
    if (!is(event, "runtime.artifact.created")) throw new Error(`${event.id} makes no artifact.`);
    // The event keeps the content; a list is no place for it.
    const { content, ...artifact } = event.data.artifact;
    return {
      artifact_id: artifact.id,
      session_id: stream.id as SessionId,
      turn_id: event.turn_id,
      kind: artifact.kind ?? null,
      artifact,
      preview: typeof content === "string" ? beginning(content) : null,
      content_path: content === undefined || content === null ? null : pathOf(event, stream.id),
      created_at: event.at,
      event_id: event.id,
      seq: event.seq,
    };
  },
  // Lists of them are of one session, and show all.
  state: () => "kept",
  // Within one session the seq is the better clock.
  at: (row) => row.seq,
};

const PREVIEW_CHARS = 400;

/** Of what the log keeps, where secrets are out already: a cut leaves no half of one. */
function beginning(content: string): string {
  const chars = Array.from(content.slice(0, 4 * PREVIEW_CHARS));
  return chars.length > PREVIEW_CHARS ? `${chars.slice(0, PREVIEW_CHARS - 1).join("")}…` : content;
}

/** What is too large for an event is a blob of its own; the rest is in the event. */
function pathOf({ blobs, seq }: Pick<AnyEvent, "blobs" | "seq">, session: string): string {
  const blob = blobs?.["/artifact/content"];
  if (blob !== undefined) return `/sessions/${session}/blobs/${blob.sha256}`;
  return `/sessions/${session}/events?face=runtime&after=${seq - 1}&limit=1`;
}
