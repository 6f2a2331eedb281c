import type { SessionStatus } from "../events/session.ts";
import type { FrontendFrame, FrontendPayload } from "../frames.ts";
import type { FrontendName } from "../stream-events.ts";
import { lineOf } from "../told.ts";
import type { Entry, EntryKind, NoticeEntry, RawEntry } from "./entries.ts";

/** The timeline while it is folded. Rows are replaced, never changed; the list itself grows in place. */
export interface Draft {
  readonly entries: Entry[];
  /** Where a row is, by its key. */
  readonly at: Map<string, number>;
  turn: { readonly id: string; readonly at: string } | null;
  /** The row that text or thinking is added to. */
  open: string | null;
  /** Arguments of calls as the model asked for them, by their id: for those that never run. */
  readonly asked: Map<string, string>;
  /** The row that says that a budget holds the session, while it does. */
  held: string | null;
  /** The row that tells of the failure that is not mended yet. */
  failure: Failure | null;
  /** The row that says that it waits for time, while it does. */
  waiting: string | null;
  /** The rows that say that sub-agents wait for time, by their names, while they do. */
  readonly waitingBelow: Map<string, string>;
  /** The row of the last try that failed, in the open turn. */
  tried: string | null;
  /** The row that says that the model is asked again, until it answers. */
  asking: string | null;
  /** The row that says that it is to wait, while it does not yet. */
  pausing: string | null;
  /** The row that says that a step runs, while none says that it ended. */
  step: string | null;
  /** The row that says that a person must look at what was made, until one has. */
  review: string | null;
  /** The turn has said that no guardrail had to step in. */
  calm: boolean;
  /** What the session was last said to be, and what the checkpoint before says that it is. */
  status: SessionStatus | null;
  checkpoint: string | null;
}

/** What is known of a failure by now. */
export interface Failure {
  readonly key: string;
  readonly turn: string | null;
  /** The cause, once an event has said it. */
  readonly cause: string | null;
}

export type Handler<N extends FrontendName> = (
  draft: Draft,
  payload: FrontendPayload<N>,
  frame: FrontendFrame,
) => void;
/** Total: an event that a stream can carry and nobody thought of does not compile. */
export type Handlers = { readonly [N in FrontendName]: Handler<N> };

export function emptyDraft(): Draft {
  return {
    entries: [],
    at: new Map(),
    turn: null,
    open: null,
    asked: new Map(),
    held: null,
    failure: null,
    waiting: null,
    waitingBelow: new Map(),
    tried: null,
    asking: null,
    pausing: null,
    step: null,
    review: null,
    calm: false,
    status: null,
    checkpoint: null,
  };
}

export function base({ id, seq, at, tier, blobs }: FrontendFrame, key: string = id) {
  return { key, id, seq, at, tier, sources: [seq], ...(blobs === undefined ? {} : { blobs }) };
}

export function add(draft: Draft, entry: Entry): void {
  draft.at.set(entry.key, draft.entries.length);
  draft.entries.push(entry);
}

/** The row of this key and kind. */
export function find<K extends EntryKind>(
  draft: Draft,
  kind: K,
  key: string,
): Extract<Entry, { kind: K }> | undefined {
  const entry = draft.entries[draft.at.get(key) ?? -1];
  return entry?.kind === kind ? (entry as Extract<Entry, { kind: K }>) : undefined;
}

export function replace(draft: Draft, entry: Entry): void {
  const index = draft.at.get(entry.key);
  if (index !== undefined) draft.entries[index] = entry;
}

/** Takes a row out of the default tier: another one says it, or it is no news any more. */
export function hush(draft: Draft, key: string | null): void {
  const entry = key === null ? undefined : draft.entries[draft.at.get(key) ?? -1];
  if (entry !== undefined) replace(draft, { ...entry, tier: "debug" });
}

/** Also made of this event. */
export function from(entry: Entry, { seq, blobs }: FrontendFrame): Pick<Entry, "sources" | "blobs"> {
  const all = blobs === undefined ? entry.blobs : { ...entry.blobs, ...blobs };
  return { sources: [...entry.sources, seq], ...(all === undefined ? {} : { blobs: all }) };
}

/** Whatever was being said is said. */
export function settle(draft: Draft): void {
  if (draft.open === null) return;
  const entry = find(draft, "text", draft.open) ?? find(draft, "thinking", draft.open);
  if (entry !== undefined) replace(draft, { ...entry, open: false });
  draft.open = null;
}

type Noticed = Pick<NoticeEntry, "notice" | "title" | "text"> &
  Partial<Pick<NoticeEntry, "tone" | "next" | "slim">>;

export function notice(draft: Draft, frame: FrontendFrame, said: Noticed): void {
  settle(draft);
  aside(draft, frame, said);
}

/** From somebody else, in the middle of what is being said: that goes on. */
export function aside(draft: Draft, frame: FrontendFrame, said: Noticed): void {
  add(draft, { ...base(frame), kind: "notice", tone: "calm", ...said });
}

/** For the debug tier alone: the default one has it from another row. */
export function quiet(frame: FrontendFrame): FrontendFrame {
  return { ...frame, tier: "debug" };
}

/** Shown to everybody, whatever tier the event has. */
export function loud(frame: FrontendFrame): FrontendFrame {
  return { ...frame, tier: "default" };
}

const SUMMARY = 160;

/** As it is, for the debug tier. Does not end what is being said: the default tier does not see it. */
export function raw(draft: Draft, payload: unknown, frame: FrontendFrame): void {
  const entry: RawEntry = {
    ...base(frame),
    tier: "debug",
    kind: "raw",
    name: frame.type,
    summary: lineOf(rawSummary(payload), SUMMARY),
    payload,
  };
  add(draft, entry);
}

const TELLING = ["reason", "message", "summary", "error", "status", "outcome", "subject", "hook", "name"];

function rawSummary(payload: unknown): string {
  if (typeof payload !== "object" || payload === null) return JSON.stringify(payload) ?? "";
  const fields = payload as Readonly<Record<string, unknown>>;
  const telling = TELLING.filter((name) => typeof fields[name] === "string").map((name) => fields[name]);
  return telling.length > 0 ? telling.slice(0, 3).join(" · ") : JSON.stringify(payload);
}
