import { z } from "zod";
import { parseResumeCursor, printResumeCursor, type ResumeKind } from "./resume-cursor.ts";
import { lineOf, textIn, type Told } from "./told.ts";

/** A place from which a session can be gone on with in another way. */
export const ResumePoint = z.object({
  kind: z.enum(["turn", "checkpoint", "approval", "compact"]),
  /** For a person who chooses one. */
  label: z.string(),
  event_id: z.string(),
  seq: z.int().min(1),
  /** The session that holds the event: of a branch, it can be an ancestor. */
  session_id: z.string(),
  /** Leads to the event; of a compaction, to the place before it. */
  resume_cursor: z.string(),
  at: z.string(),
});
export type ResumePoint = z.infer<typeof ResumePoint>;

/** The names on seed 000's face of what points are made from. */
export const RESUME_EVENTS = [
  "turn_start",
  "completed",
  "session_checkpoint",
  "approval_required",
  "context_compacted",
] as const;

const LABEL_CHARS = 120;

/** The places to go on from, in the order of the session. Pure: the same events give the same points. */
export function resumePoints(events: readonly Told[]): ResumePoint[] {
  const inputs = new Map<string, string>();
  const points: ResumePoint[] = [];
  for (const event of events) {
    const { payload } = event;
    switch (event.type) {
      case "turn_start":
        inputs.set(textIn(payload, "turn_id") ?? "", textIn(payload, "input") ?? "");
        break;
      case "completed":
        points.push(
          point(event, "turn", inputs.get(textIn(payload, "turn_id") ?? "") ?? textIn(payload, "output")),
        );
        break;
      case "session_checkpoint":
        points.push(point(event, "checkpoint", textIn(payload, "summary_text", "checkpoint_type")));
        break;
      case "approval_required":
        if ((textIn(payload, "kind") ?? "approval") !== "approval") break;
        points.push(
          point(
            event,
            "approval",
            `${textIn(payload, "tool_name") ?? ""}: ${textIn(payload, "reason") ?? ""}`,
          ),
        );
        break;
      case "context_compacted": {
        const cursor = textIn(payload, "resume_cursor") ?? "";
        // Without its cursor nobody knows what was before it.
        if (parseResumeCursor(cursor) === undefined) break;
        points.push({ ...point(event, "compact", textIn(payload, "summary")), resume_cursor: cursor });
        break;
      }
    }
  }
  return points;
}

function point(
  { id, seq, session_id, at }: Told,
  kind: Exclude<ResumeKind, "event">,
  label: string | undefined,
): ResumePoint {
  return {
    kind,
    label: lineOf(label ?? kind, LABEL_CHARS),
    event_id: id,
    seq,
    session_id,
    resume_cursor: printResumeCursor({ kind, session: session_id, seq }),
    at,
  };
}
