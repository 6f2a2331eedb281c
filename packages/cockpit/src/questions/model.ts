import type { QuestionKind, QuestionRow } from "@fairlead/contract";
import { HEALTH_SUBJECT, type QuestionEntry } from "@fairlead/contract/view";

/** A question as the card shows it, from a row or from the timeline. */
export interface Question {
  readonly requestId: string;
  readonly sessionId: string;
  /** Known of a row. */
  readonly sessionTitle?: string | null;
  readonly askedSeq?: number;
  readonly asks: QuestionKind;
  readonly tool: string;
  readonly reason: string;
  readonly risk: string | null;
  readonly shown: unknown;
  readonly shownHash: string | null;
  readonly pattern: string | null;
  readonly origin: string | null;
  readonly expires: string | null;
  readonly askedAt: string;
  readonly decided: QuestionEntry["decided"];
}

const REACHES = { turn: "its turn", session: "its session", pattern: "all sessions of its owner" } as const;

/** How far a yes reaches, and for what, in words. */
export function reachOf({ kind, pattern, expires_at }: NonNullable<QuestionRow["scope"]>): string {
  if (kind === "call") return "this call";
  const until = expires_at === undefined ? "" : ` until ${new Date(expires_at).toLocaleDateString()}`;
  return `${REACHES[kind]}${until}${pattern === undefined ? "" : `: ${pattern}`}`;
}

export function ofRow(row: QuestionRow): Question {
  const { scope, edited } = row;
  return {
    requestId: row.request_id,
    sessionId: row.session_id,
    sessionTitle: row.session_title ?? null,
    askedSeq: row.asked_seq,
    asks: row.kind,
    tool: row.tool_name,
    reason: row.reason,
    risk: row.risk,
    shown: row.shown,
    shownHash: row.shown_hash,
    pattern: row.pattern ?? null,
    origin: row.origin ?? null,
    expires: row.expires_at,
    askedAt: row.asked_at,
    decided:
      row.state === "pending"
        ? null
        : {
            decision: row.state,
            actor: row.actor ?? "",
            at: row.decided_at ?? "",
            note: row.note,
            reach: scope === undefined || scope.kind === "call" ? null : reachOf(scope),
            ...(row.moot === true ? { moot: true as const } : {}),
            ...(edited === undefined ? {} : { edited }),
          },
  };
}

export function ofEntry(entry: QuestionEntry, sessionId: string): Question {
  return { ...entry, sessionId, askedAt: entry.at };
}

/** Who asks, in words: what holds a session to its budgets is no tool. */
export function askerOf(tool: string): string {
  return tool === HEALTH_SUBJECT ? "Budget" : tool;
}

interface Shown {
  readonly diff: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  /** What else is said of it in a word: its effect, its kind, where it comes from. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What is none of these: nothing that a person agrees to is left out. */
  readonly rest: unknown;
  readonly repairs: readonly string[];
  /** What can be answered, where that is not free. */
  readonly options: readonly Option[];
}

export interface Option {
  /** Sent as it is. */
  readonly value: unknown;
  readonly label: string;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const EFFECTS: Readonly<Record<string, string>> = {
  none: "none: changes nothing",
  idempotent: "idempotent: done twice, it is as if done once",
  once: "once: not to be repeated",
};

function factOf(name: string, value: unknown): readonly [string, string] {
  const text = String(value);
  if (name === "effect") return ["effect", EFFECTS[text] ?? text];
  return [name.replaceAll("_", " "), text];
}

const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** What a person is asked to agree to, and all of it: what is not known here is shown as it is. */
export function shownParts(shown: unknown): Shown {
  if (!isObject(shown)) return { diff: null, args: null, facts: [], rest: shown, repairs: [], options: [] };
  const { diff, arguments: args, repairs, options, ...others } = shown;
  const called = isObject(args);
  // Said beside it already: the title has the tool, the first line the reason.
  const { tool: _tool, reason: _reason, preview_hash: _hash, ...more } = others;
  const odd = Object.entries(more).filter(([, value]) => !isScalar(value));
  return {
    diff: typeof diff === "string" ? diff : null,
    args: called ? args : null,
    facts: called
      ? Object.entries(more).flatMap(([name, value]) => (isScalar(value) ? [factOf(name, value)] : []))
      : [],
    rest: !called ? shown : odd.length === 0 ? null : Object.fromEntries(odd),
    repairs: Array.isArray(repairs) ? repairs.map(String) : [],
    options: Array.isArray(options) ? options.flatMap(optionOf) : [],
  };
}

/** A plain text, or a label with the outcome that it stands for. */
function optionOf(option: unknown): Option[] {
  if (typeof option === "string") return [{ value: option, label: option }];
  if (!isObject(option)) return [];
  const value = option["outcome"] ?? option["value"] ?? option["id"];
  const label = option["label"] ?? value;
  return typeof label === "string" ? [{ value: { outcome: value }, label }] : [];
}
