import { type Git, GitError } from "./git/run.ts";

/** Thrown when a look takes longer than somebody can be let wait. */
export class TooSlow extends Error {
  override readonly name = "TooSlow";
}

export interface Deadline {
  left(): number;
  /** Throws TooSlow after it. */
  hurry(): void;
}

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms;
  const left = () => end - performance.now();
  return {
    left,
    hurry() {
      if (left() <= 0) throw new TooSlow("It took too long.");
    },
  };
}

/** Ends what has no time left. Rejects with TooSlow then. */
export function inTime(git: Git, { left, hurry }: Deadline): Git {
  return async (args, options = {}) => {
    hurry();
    try {
      return await git(args, { ...options, patienceMs: Math.max(1, Math.ceil(left())) });
    } catch (error) {
      if (error instanceof GitError) hurry();
      throw error;
    }
  };
}
