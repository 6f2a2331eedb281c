import type { ApprovalScope, Decision, GrantId, NewEvent, QuestionState } from "@fairlead/contract";
import type { Refusal } from "../ports/event-log.ts";
import { readScope } from "./approval/scope.ts";
import { HEALTH_ORIGIN } from "./health/enforced.ts";
import { OUTCOME_OPTIONS, optionOf, RECOVERY_ORIGIN } from "./lost-outcome.ts";
import type { StoredQuestion } from "./question.ts";

export type QuestionCommand = "decide" | "expire";
/** `keep`: it already is as the command wants it. */
export type QuestionOutcome = "record" | "keep" | "question_decided" | "question_expired";

const DECIDED: Record<QuestionCommand, QuestionOutcome> = { decide: "question_decided", expire: "keep" };

/** Decided once, by whoever comes first; time is one of those who may come. */
export const QUESTION_TABLE: Record<QuestionState, Record<QuestionCommand, QuestionOutcome>> = {
  pending: { decide: "record", expire: "record" },
  approved: DECIDED,
  denied: DECIDED,
  edited: DECIDED,
  expired: { decide: "question_expired", expire: "keep" },
};

export interface QuestionDecision {
  readonly decision: Exclude<Decision, "expired">;
  readonly note?: string;
  readonly edited?: unknown;
  readonly answer?: unknown;
  /** What the decider was looking at. When given and not what the question shows: question_changed. */
  readonly shown_hash?: string;
  /** How far a yes reaches; this call alone when left out. */
  readonly scope?: ApprovalScope;
}

export type QuestionVerdict =
  | { readonly kind: "record"; readonly event: NewEvent }
  | { readonly kind: "keep" }
  | { readonly kind: "refuse"; readonly refusal: Refusal };

/**
 * The caller has seen to it that the actor is entitled, and that a question past its time is expired first.
 * `grant_id` names what a scope beyond this call grants, and is used for that only.
 */
export function decideQuestion(
  row: StoredQuestion,
  by: string,
  at: string,
  command: QuestionDecision,
  grant_id?: () => GrantId,
): QuestionVerdict {
  const outcome = QUESTION_TABLE[row.state].decide;
  switch (outcome) {
    case "keep":
      return { kind: "keep" };
    case "question_decided":
    case "question_expired":
      return { kind: "refuse", refusal: alreadyDecided(row, outcome) };
    case "record": {
      const problem = misfit(row, command);
      if (problem !== undefined) return { kind: "refuse", refusal: problem };
      const { decision, note, edited } = command;
      const answer = row.origin === RECOVERY_ORIGIN ? outcomeOf(command) : command.answer;
      const granted = grantOf(row, at, command, grant_id);
      if ("refusal" in granted) return { kind: "refuse", refusal: granted.refusal };
      return { kind: "record", event: decided(row, by, at, decision, { note, edited, answer, ...granted }) };
    }
  }
}

/** Whoever decides a question claims this: it is decided once. */
export function decidedKey(request_id: string): string {
  return `question:${request_id}:decided`;
}

export function expireQuestion(
  row: StoredQuestion,
  by: string,
  at: string,
  note?: string,
  moot?: true,
): QuestionVerdict {
  const outcome = QUESTION_TABLE[row.state].expire;
  return outcome === "record"
    ? { kind: "record", event: decided(row, by, at, "expired", { note, moot }) }
    : { kind: "keep" };
}

interface Granted {
  readonly scope?: ApprovalScope;
  readonly grant_id?: GrantId;
}

function grantOf(
  row: StoredQuestion,
  at: string,
  { decision, scope }: QuestionDecision,
  grant_id: (() => GrantId) | undefined,
): Granted | { readonly refusal: Refusal } {
  if (scope === undefined) return {};
  const read = readScope(scope, row, decision, Date.parse(at));
  if (!read.ok) return { refusal: bad(read.error) };
  if (read.scope.kind === "call") return { scope: read.scope };
  if (grant_id === undefined) return { refusal: bad("A scope beyond this call cannot be kept here.") };
  return { scope: read.scope, grant_id: grant_id() };
}

interface Said extends Granted {
  readonly note?: string;
  readonly edited?: unknown;
  readonly answer?: unknown;
  readonly moot?: true;
}

function decided(
  row: StoredQuestion,
  actor: string,
  decided_at: string,
  decision: Decision,
  said: Said,
): NewEvent {
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return {
    type: "runtime.question.decided",
    turn_id: row.turn_id,
    cause: row.asked_id,
    // What execution goes on with must be what the person gave, secrets included.
    seal: true,
    data: {
      request_id: row.request_id,
      kind: row.kind,
      tool_name: row.tool_name,
      decision,
      actor,
      decided_at,
      ...given,
    },
  };
}

function alreadyDecided(row: StoredQuestion, code: "question_decided" | "question_expired"): Refusal {
  const { request_id, state: decision, actor, decided_at, note } = row;
  return {
    code,
    message:
      code === "question_expired"
        ? `The question expired at ${row.expires_at ?? decided_at}.`
        : `${actor} has already decided: ${decision}, at ${decided_at}.`,
    details: { request_id, decision, actor, decided_at, note },
  };
}

/** A decision that does not answer this question. */
function misfit(row: StoredQuestion, command: QuestionDecision): Refusal | undefined {
  if (command.shown_hash !== undefined && command.shown_hash !== row.shown_hash) {
    return {
      code: "question_changed",
      message: "The decision was made on something other than what the question shows.",
      details: { shown_hash: row.shown_hash },
    };
  }
  if ((command.decision === "edited") !== (command.edited !== undefined)) {
    return bad(
      command.decision === "edited"
        ? "`edited` must say what to do instead."
        : "`edited` goes only with the decision `edited`.",
    );
  }
  const wantsAnswer = row.kind !== "approval" && command.decision === "approved";
  if (wantsAnswer !== (command.answer !== undefined)) {
    return bad(
      wantsAnswer
        ? `A question of kind ${row.kind} needs an \`answer\`.`
        : "`answer` goes only with `approved`, on a question that asks for one.",
    );
  }
  return row.origin === RECOVERY_ORIGIN || row.origin === HEALTH_ORIGIN
    ? notOffered(row.origin, command)
    : undefined;
}

/** Our own questions say what can be answered: anything else must not be taken for a no that nobody said. */
function notOffered(origin: string, command: QuestionDecision): Refusal | undefined {
  if (command.decision === "edited") return bad("There is nothing to edit here: say yes or no.");
  if (origin !== RECOVERY_ORIGIN || command.decision !== "approved") return undefined;
  if (optionOf(command.answer) !== undefined) return undefined;
  const offered = OUTCOME_OPTIONS.map(({ outcome }) => `{"outcome":"${outcome}"}`).join(", ");
  return bad(`The answer is none of those that are offered: ${offered}.`);
}

/** As it is kept: by its word, however it was said. */
function outcomeOf({ answer }: QuestionDecision): unknown {
  const outcome = optionOf(answer);
  return outcome === undefined ? undefined : { outcome };
}

function bad(message: string): Refusal {
  return { code: "bad_request", message };
}
