import { join } from "node:path";
import type { Clock } from "../ports/clock.ts";
import type { WorkspaceFiles } from "../ports/workspace-files.ts";
import type { WorkspaceMethod } from "../ports/workspaces.ts";
import { type Copies, createCopies } from "./copy/copies.ts";
import type { Objects } from "./copy/objects.ts";
import { openPacks } from "./copy/packs.ts";
import { type Clones, createClones } from "./git/clones.ts";
import { configsOf, excludesOf } from "./git/excludes.ts";
import { findGit, liesIn } from "./git/find.ts";
import { findRepository } from "./git/repository.ts";
import { type Git, gitAt, GitError } from "./git/run.ts";
import { createWorktrees, type Worktrees } from "./git/worktrees.ts";
import { type Deadline, inTime } from "./deadline.ts";
import type { WorkspaceLimits } from "./limits.ts";
import type { Made, Making } from "./method.ts";

export interface MethodsDeps {
  readonly files: WorkspaceFiles;
  readonly objects: Objects;
  readonly hidden: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly limits: WorkspaceLimits;
  readonly ownOf: (id: string) => string;
  readonly rootOf: (id: string) => string;
  /** For a look that somebody waits for; without it, it takes as long as it takes. */
  readonly deadline?: Deadline;
}

export interface Methods {
  readonly copies: Copies;
  /** Undefined where git is not installed. */
  worktrees(source: string): { readonly git: Git; readonly method: Worktrees } | undefined;
  /** Of those that have a store of their own. */
  readonly own: {
    readonly copies: Copies;
    /** Undefined where git is not installed. */
    clones(source: string): { readonly git: Git; readonly method: Clones } | undefined;
  };
}

export function createMethods(deps: MethodsDeps): Methods {
  const { hidden, env, objects, ownOf, deadline } = deps;
  // A workspace may itself lie in our data directory; what is in it is the agent's.
  const leftOut = (tree: string) => {
    const places = hidden.filter((place) => !liesIn(place, tree));
    return (path: string) => places.some((place) => liesIn(place, path));
  };
  function gitFor(source: string) {
    const program = findGit(env["PATH"], source);
    if (program === undefined) return undefined;
    const plain = gitAt(program, env["PATH"] ?? "");
    const git = deadline === undefined ? plain : inTime(plain, deadline);
    const excludes = (top: string) => excludesOf(program, env, top);
    return { ...deps, git, leftOut, excludes, configs: configsOf(env) };
  }
  const storeOf = (id: string) => openPacks(join(ownOf(id), "objects"));
  const hurry = deadline === undefined ? {} : { hurry: deadline.hurry };
  return {
    copies: createCopies({ ...deps, storeOf: () => objects }),
    worktrees(source) {
      const found = gitFor(source);
      return found && { git: found.git, method: createWorktrees(found) };
    },
    own: {
      copies: createCopies({ ...deps, storeOf, ...hurry }),
      clones(source) {
        const found = gitFor(source);
        return found && { git: found.git, method: createClones(found) };
      },
    },
  };
}

export interface MadeBy {
  readonly made: Made;
  readonly method: WorkspaceMethod;
  readonly reason: string;
}

/** A worktree where there is a repository; else, or where that fails, a copy. Never the project itself. */
export async function make(methods: Methods, making: Making, source: string): Promise<MadeBy> {
  const worktree = await tryWorktree(methods, making, source);
  if ("made" in worktree) return worktree;
  return {
    made: await methods.copies.prepare(making, source),
    method: "copy",
    reason: `${worktree.problem} Prepared a copy of the project's files.`,
  };
}

async function tryWorktree(
  methods: Methods,
  making: Making,
  source: string,
): Promise<MadeBy | { readonly problem: string }> {
  const worktrees = methods.worktrees(source);
  if (worktrees === undefined) return { problem: "git is not installed." };
  const { git, method } = worktrees;
  const found = await findRepository(git, source);
  if ("problem" in found) return found;
  try {
    const made = await method.prepare(making, found.repository);
    return { made, method: "worktree", reason: "Prepared a git worktree of the project's repository." };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await method.abandon(making, found.repository);
    return { problem: `A git worktree could not be made (${error.message}).` };
  }
}
