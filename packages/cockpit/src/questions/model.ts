import type { QuestionKind, QuestionRow } from "@fairlead/contract";
import type { QuestionEntry } from "@fairlead/contract/view";

/** A question as the card shows it, from a row or from the timeline. */
export interface Question {
  readonly requestId: string;
  readonly sessionId: string;
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

export function ofRow(row: QuestionRow): Question {
  const scope = row.scope;
  return {
    requestId: row.request_id,
    sessionId: row.session_id,
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
            reach:
              scope === undefined || scope.kind === "call" ? null : `${scope.kind}: ${scope.pattern ?? ""}`,
          },
  };
}

export function ofEntry(entry: QuestionEntry, sessionId: string): Question {
  return { ...entry, sessionId, askedAt: entry.at };
}

interface Shown {
  readonly diff: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  /** What is neither of them. */
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

/** What a person is asked to agree to. */
export function shownParts(shown: unknown): Shown {
  if (!isObject(shown)) return { diff: null, args: null, rest: shown, repairs: [], options: [] };
  const { diff, arguments: args, repairs, options } = shown;
  return {
    diff: typeof diff === "string" ? diff : null,
    args: isObject(args) ? args : null,
    rest: isObject(args) ? null : shown,
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
