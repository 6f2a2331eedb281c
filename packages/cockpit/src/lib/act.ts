import { useMemo, useState } from "react";
import { createActs, type Work } from "./acts.ts";
import { commandKey, type Problem, problemOf, UNREACHABLE } from "./api.ts";

export interface Act {
  readonly busy: boolean;
  readonly problem: Problem | null;
  /** Sends what a press means, once. What is refused is in `problem`. */
  readonly act: (what: unknown, work: Work) => Promise<void>;
}

/** For every button that changes something on the server. */
export function useAct(): Act {
  const acts = useMemo(() => createActs(commandKey), []);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function act(what: unknown, work: Work): Promise<void> {
    try {
      const mine = acts.run(what, async (key) => {
        setBusy(true);
        setProblem(null);
        return work(key);
      });
      if (await mine) setBusy(false);
    } catch (error) {
      setProblem(actProblem(error));
      setBusy(false);
    }
  }
  return { busy, problem, act };
}

/** Nothing is sent again without a person: it may be too late for it. */
function actProblem(error: unknown): Problem {
  const problem = problemOf(error);
  if (problem.code !== UNREACHABLE) return problem;
  const hint = "Press it again once it does: should this have arrived after all, it still happens once.";
  return { ...problem, hint };
}
