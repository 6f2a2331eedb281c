import type { FaultKind } from "../../packages/runtime/src/domain/guard/types.ts";
import { places } from "../../packages/runtime/src/host/places.ts";
import { createGuard } from "../../packages/runtime/src/services/tools/guard.ts";
import type { Answer, Question } from "./bfcl.ts";
import { casesOf } from "./bfcl.ts";
import type { Case, Faulty, Ran } from "./case.ts";
import { nameFaults, textFaults } from "./inject-text.ts";
import { valueFaults } from "./inject-values.ts";
import { judgeWith } from "./judge.ts";
import { ownCases } from "./own-tools.ts";
import { breaks } from "./strict.ts";

export interface KindTally {
  faults: number;
  /** Refused, with an error of this kind; the stand-in could or could not go on from there. */
  stopped: number;
  repaired_locally: number;
  repaired_with_model: number;
}

export interface Tally {
  cases: number;
  false_alarms: number;
  faults: number;
  executed: number;
  /** Refused, but for another reason than the one injected. */
  wrong_kind: number;
  readonly by_kind: Partial<Record<FaultKind, KindTally>>;
  readonly excluded: { readonly id: string; readonly why: string }[];
  /** What should not be: in words. */
  readonly problems: string[];
}

/** Right calls must pass, wrong ones must not, or only as the right one. */
export async function tally(questions: readonly Question[], answers: readonly Answer[]): Promise<Tally> {
  const ran: Ran[] = [];
  const own = ownCases(ran);
  const result: Tally = {
    cases: 0,
    false_alarms: 0,
    faults: 0,
    executed: 0,
    wrong_kind: 0,
    by_kind: {},
    excluded: [],
    problems: [],
  };
  const { passes, judge } = judgeWith(createGuard({ places }), own.workspace, ran);
  const take = async (one: Case, faults: readonly Faulty[]) => {
    result.cases += 1;
    if (!(await passes(one))) {
      result.false_alarms += 1;
      result.problems.push(`false alarm: ${one.id} ${one.name} ${JSON.stringify(one.arguments)}`);
    }
    for (const faulty of faults) {
      const verdict = await judge(one, faulty);
      count(result, one, faulty, verdict);
    }
  };
  try {
    for (const one of casesOf(questions, answers, ran)) {
      const why = breaks(one);
      if (why === undefined) await take(one, [...nameFaults(one), ...valueFaults(one), ...textFaults(one)]);
      else result.excluded.push({ id: one.id, why });
    }
    for (const one of own.cases) await take(one, one.faults);
  } finally {
    own.close();
  }
  return result;
}

function count(result: Tally, one: Case, faulty: Faulty, verdict: string): void {
  const { kind, how, name, text } = faulty;
  const row = (result.by_kind[kind] ??= {
    faults: 0,
    stopped: 0,
    repaired_locally: 0,
    repaired_with_model: 0,
  });
  row.faults += 1;
  result.faults += 1;
  if (verdict === "executed" || verdict === "wrong_kind") {
    result[verdict] += 1;
    result.problems.push(`${verdict}: ${one.id} ${kind}, ${how}: ${name} ${text}`);
  }
  if (verdict === "repaired_locally") row.repaired_locally += 1;
  else if (verdict !== "executed") row.stopped += 1;
  if (verdict === "repaired_with_model") row.repaired_with_model += 1;
}
