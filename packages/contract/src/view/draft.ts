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
}

export type Handler<N extends FrontendName> = (
  draft: Draft,
  payload: FrontendPayload<N>,
  frame: FrontendFrame,
) => void;
/** Total: an event that a stream can carry and nobody thought of does not compile. */
export type Handlers = { readonly [N in FrontendName]: Handler<N> };

export function emptyDraft(): Draft {
  return { entries: [], at: new Map(), turn: null, open: null, asked: new Map(), held: null };
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

export function notice(
  draft: Draft,
  frame: FrontendFrame,
  said: Pick<NoticeEntry, "notice" | "title" | "text"> & Partial<Pick<NoticeEntry, "tone">>,
): void {
  settle(draft);
  add(draft, { ...base(frame), kind: "notice", tone: "calm", ...said });
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
