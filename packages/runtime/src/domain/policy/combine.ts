import type { EventType } from "@fairlead/ahp";
import { isRecord } from "../is-record.ts";
import type { AnyDecision } from "./decision.ts";
import type { Rule } from "./policy.ts";

/** What a rule that matched would answer. */
export interface Proposal {
  readonly rule: Rule;
  readonly answer: AnyDecision;
  /** What it would change, if it modifies. */
  readonly patch: unknown;
}

/** Several equally strict answers made into one. The first proposal is there; the order is that of the rules. */
type Combine = (proposals: readonly [Proposal, ...Proposal[]]) => Proposal;

const first: Combine = ([proposal]) => proposal;

/** The longest wait: it satisfies the others too. */
const longest: Combine = ([head, ...rest]) => {
  const wait = ({ answer }: Proposal): number => Number(answer["retry_after_ms"]);
  return rest.reduce((found, next) => (wait(next) > wait(found) ? next : found), head);
};

/** Lists are joined, in the order of the rules; of anything else the first one's counts. */
const joined: Combine = ([head, ...rest]) => ({
  ...head,
  answer: rest.reduce((answer, next) => join(answer, next.answer) as AnyDecision, head.answer),
});

function join(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  if (!isRecord(a) || !isRecord(b)) return a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in a && key in b ? join(a[key], b[key]) : (a[key] ?? b[key])]),
  );
}

const COMBINED: Readonly<Record<string, Combine>> = {
  "pre_action:defer": longest,
  "pre_prompt:defer": longest,
  "rate_limit:retry": longest,
  "context_perception:allow": joined,
  "context_perception:refine": joined,
  "memory_recall:allow": joined,
  "planning:modify": joined,
  "reasoning:allow": joined,
};

/** The answer to an event, from all rules that matched with its strictest decision. */
export function combine(type: EventType, proposals: readonly [Proposal, ...Proposal[]]): Proposal {
  const how = COMBINED[`${type}:${proposals[0].answer.decision}`] ?? first;
  return proposals.length === 1 ? proposals[0] : how(proposals);
}
