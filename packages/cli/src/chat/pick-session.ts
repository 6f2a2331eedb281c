import type { Backend } from "../backend.ts";
import { ago } from "../time.ts";
import type { Conversation } from "./conversation.ts";
import { line } from "./span.ts";
import type { Ui } from "./ui.ts";

const MOST = 100;

/** Another session of the list; undefined when there is none or none was taken. */
export async function pickSession(
  ui: Ui,
  backend: Backend,
  current: string | null,
): Promise<string | undefined> {
  const { rows } = await backend.listSessions({ kind: "chat", limit: MOST });
  const others = rows.filter(({ session_id }) => session_id !== current);
  if (others.length === 0) {
    ui.print([line("There is no other session yet.", "dim")]);
    return undefined;
  }
  const options = others.map(({ session_id, title, status, updated_at }) => ({
    value: session_id as string,
    label: title ?? "untitled",
    about: `${status.replaceAll("_", " ")} · ${ago(updated_at)} · …${session_id.slice(-6)}`,
  }));
  return ui.pick("Go on in", options);
}

/** A session that goes on from an earlier place of this one; undefined when there is none or none was taken. */
export async function pickPlace(
  ui: Ui,
  backend: Backend,
  { session }: Conversation,
): Promise<string | undefined> {
  const points = session === null ? [] : (await backend.sessionDetail(session)).resume_points;
  if (session === null || points.length === 0) {
    ui.print([line("There is no place to branch from yet: a turn must have ended first.", "dim")]);
    return undefined;
  }
  const options = points.toReversed().map(({ kind, label, at, resume_cursor }) => ({
    value: resume_cursor,
    label: `${PLACES[kind]} ${label}`,
    about: ago(at),
  }));
  const resume_cursor = await ui.pick("Branch from", options);
  if (resume_cursor === undefined) return undefined;
  return (await backend.branchSession(session, { resume_cursor })).session_id;
}

const PLACES = {
  turn: "after",
  checkpoint: "at",
  approval: "before the answer to",
  compact: "before the compaction of",
} as const;
