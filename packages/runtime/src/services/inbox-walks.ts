import { QUESTION_KINDS, RISKS } from "@fairlead/contract";
import type { InboxGroup } from "@fairlead/contract/inbox";
import type { Standing } from "../domain/inbox/standing.ts";
import { OPEN } from "../domain/question.ts";
import type { Beside, RowFilter, RowQuery, RowTest } from "../ports/row-query.ts";

/** One way along rows of a kind; a group of the inbox is what one or two of them find. */
export interface Walk extends Pick<RowQuery, "order" | "oldest">, Pick<RowFilter, "state" | "where"> {
  readonly kind: "question" | "attention";
}

const standing = (...state: readonly Standing[]): readonly string[] => state;

/** How rows stood before they said where a session stands: they are idle until it moves again. */
const OLD: readonly string[] = ["completed", "failed", "cancelled", "none"];

/** Whether this person has yet to look at it. */
function unseenBy(name: string, is = true): RowTest {
  return { noted: ["seen"], key: name, below: ["news"], is };
}

/** Those that were asked here; what sub-agents asked is listed in the sub-agent's session. */
const QUESTIONS: Walk = {
  kind: "question",
  state: OPEN,
  where: [{ field: ["kind"], in: QUESTION_KINDS }],
  // The riskiest first, then what waits longest.
  order: { field: ["risk"], ranks: RISKS.toReversed(), otherwise: RISKS.length, ascending: true },
  oldest: true,
};

/** What a person has seen of what is over is idle, for them. */
export function walksOf(name: string): Record<InboxGroup, readonly Walk[]> {
  const unseen = [unseenBy(name)];
  return {
    needs_input: [QUESTIONS, { kind: "attention", state: standing("needs_input"), oldest: true }],
    needs_review: [{ kind: "attention", state: standing("needs_review"), where: unseen, oldest: true }],
    done: [{ kind: "attention", state: standing("done"), where: unseen }],
    working: [{ kind: "attention", state: standing("working", "asks_below") }],
    idle: [
      { kind: "attention", state: [...standing("idle"), ...OLD] },
      { kind: "attention", state: standing("done", "needs_review"), where: [unseenBy(name, false)] },
    ],
  };
}

/** Sessions that need this person, for lists of sessions. */
export function needing(name: string): Beside {
  return {
    kind: "attention",
    state: standing("asks", "asks_below", "needs_input", "needs_review"),
    where: [unseenBy(name)],
  };
}
