import { INBOX_GROUPS, type InboxEntry, type InboxGroup } from "@fairlead/contract/inbox";
import { type QuestionRow, RISKS, type SessionRow, subjectOf, TURN_FAILURES } from "@fairlead/contract";
import { HEALTH_ORIGIN } from "../health/enforced.ts";
import { type Attention, seenBy, UNPROVEN } from "./attention.ts";
import { GROUPS } from "./standing.ts";
import { timerOf, waitOf } from "./waiting.ts";

export interface InboxParts {
  /** Who asks. */
  readonly name: string;
  /** Pending ones. */
  readonly questions: readonly QuestionRow[];
  readonly sessions: readonly SessionRow[];
  readonly attention: ReadonlyMap<string, Attention>;
}

/** Entries in the one order there is. Pure. */
export function inboxEntries(parts: InboxParts): InboxEntry[] {
  const byId = new Map(parts.sessions.map((session) => [session.session_id as string, session]));
  const asking = new Set(parts.questions.map(({ session_id }) => session_id as string));
  const entries = [
    ...parts.questions.map((question) => questionEntry(question, byId.get(question.session_id))),
    ...parts.sessions
      .filter(({ session_id }) => !asking.has(session_id))
      .map((session) => sessionEntry(session, parts.attention.get(session.session_id), parts.name)),
  ];
  return INBOX_GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group).toSorted(inOrder));
}

function questionEntry(question: QuestionRow, session: SessionRow | undefined): InboxEntry {
  return {
    key: question.request_id,
    group: "needs_input",
    session_id: question.session_id,
    title: session?.title ?? null,
    kind: session?.kind ?? "chat",
    status: "awaiting_approval",
    reason: question.reason,
    risk: question.risk,
    since: question.asked_at,
    action: question.kind === "approval" ? "decide" : "answer",
    request_id: question.request_id,
    tool_name: question.tool_name,
    subject: subjectOf(question.shown),
    seq: question.asked_seq,
    seen: false,
  };
}

function sessionEntry(session: SessionRow, attention: Attention | undefined, name: string): InboxEntry {
  const stated = attention?.stated ?? null;
  const rests = restsOf(session, attention);
  const seq = Math.max(rests?.seq ?? 0, stated?.seq ?? 0, 1);
  const news = GROUPS[session.status] === "needs_review" ? seq : (rests?.seq ?? stated?.seq ?? 0);
  const seen = seenBy(attention, name) >= news;
  // Its policy stopped it, and nothing moves before somebody lets it.
  const stopped =
    session.status === "paused" && attention?.paused?.actor === HEALTH_ORIGIN ? attention.paused : null;
  const group = stopped === null ? groupOf(session, rests, seen) : "needs_input";
  const wait = waitOf(session, attention?.waits_below ?? []);
  return {
    key: session.session_id,
    group,
    session_id: session.session_id,
    title: session.title,
    kind: session.kind,
    status: session.status,
    last_turn: session.last_turn ?? null,
    reason: stopped?.reason ?? wait?.reason ?? reasonOf(session, group, attention),
    ...(wait === null ? {} : { until: wait.until }),
    risk: null,
    since: (group === "working" ? stated?.at : rests?.at) ?? stated?.at ?? session.updated_at,
    action: stopped === null ? ACTIONS[group] : "go_on",
    request_id: null,
    tool_name: null,
    subject: null,
    seq,
    seen,
  };
}

/** The end of its last turn, where none is open. */
function restsOf({ turn_id }: SessionRow, attention: Attention | undefined): Attention["ended"] {
  return turn_id === null ? (attention?.ended ?? null) : null;
}

const ACTIONS: Record<InboxGroup, InboxEntry["action"]> = {
  needs_input: "decide",
  needs_review: "review",
  done: "read",
  working: "watch",
  idle: "go_on",
};

function groupOf(session: SessionRow, rests: Attention["ended"], seen: boolean): InboxGroup {
  const group = GROUPS[session.status];
  // What was marked as seen is history, for the one who did.
  if (group === "needs_review") return seen ? "idle" : group;
  if (group !== "rest") return group;
  if (rests === null || seen) return "idle";
  return rests.status === "failed" ? "needs_review" : rests.status === "completed" ? "done" : "idle";
}

function reasonOf(session: SessionRow, group: InboxGroup, attention: Attention | undefined): string {
  const rests = restsOf(session, attention);
  const error = session.state?.last_error;
  if (group === "needs_review" && session.status === "needs_review")
    return rests?.reason?.startsWith(UNPROVEN) === true ? rests.reason : "It ended without all that it owes.";
  if (group === "needs_review") return error ?? inWords(rests?.reason) ?? "It ended without success.";
  if (group === "done") return rests?.said ?? "Finished, and not yet looked at.";
  if (group === "working" && session.pausing != null)
    return `Pausing after this step, as ${wishOf(session.pausing.actor)} wants.`;
  if (group === "working" && session.status === "queued")
    return timerOf(session)?.reason ?? "Waits for its turn.";
  if (group === "working") return "At work.";
  if (session.status === "paused") return `Paused by ${wishOf(pausedBy(session, attention))}.`;
  if (session.status === "cancelled") return "It was cancelled.";
  return rests === null ? "Nothing has been asked of it yet." : `Last turn ${rests.status}.`;
}

/** Who had it paused, by the order or by the state that came of it. */
function pausedBy({ state }: SessionRow, attention: Attention | undefined): string {
  const { actor, paused_by } = state?.resume_context ?? {};
  const said = attention?.paused?.actor ?? actor ?? paused_by;
  return typeof said === "string" ? said : "somebody";
}

function wishOf(actor: string): string {
  return actor === HEALTH_ORIGIN ? "its policy" : actor;
}

/** A turn that failed has a code for its reason. */
function inWords(reason: string | null | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = TURN_FAILURES;
  return reason == null ? undefined : Object.hasOwn(known, reason) ? known[reason] : reason;
}

/** The riskiest first, then what waits longest. What needs nobody: the newest first. */
function inOrder(a: InboxEntry, b: InboxEntry): number {
  const risk = rank(b) - rank(a);
  if (risk !== 0) return risk;
  const oldestFirst = a.group === "needs_input" || a.group === "needs_review";
  const order = a.since === b.since ? 0 : a.since < b.since ? -1 : 1;
  return oldestFirst ? order : -order;
}

function rank({ risk }: InboxEntry): number {
  return risk === null ? -1 : RISKS.indexOf(risk);
}
