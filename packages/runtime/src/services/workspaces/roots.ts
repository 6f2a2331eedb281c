import { isAbsolute, relative, sep } from "node:path";
import { FairleadError, type SessionState } from "@fairlead/contract";
import { isInside } from "../../domain/guard/paths.ts";
import type { Places } from "../../ports/places.ts";

export interface RootsDeps {
  /** Absolute, links followed. The first is where sessions work that name no directory. */
  readonly roots: readonly string[];
  /** Absolute: what no session works in, wherever it lies: our data, keys, places of other sessions. */
  readonly hidden: readonly string[];
  readonly places: Places;
}

/** The directories that a session can be started in. */
export interface Roots {
  readonly all: readonly string[];
  /** The directory itself, links followed. Throws workspace_outside, workspace_missing. */
  demand(path: string): Promise<string>;
  /**
   * Where a session works that has no place of its own, looked at anew: a directory may have gone, or lead elsewhere
   * since. Throws workspace_unavailable.
   */
  of(state: Pick<SessionState, "workspace_source"> | null): Promise<string>;
}

export function createRoots({ roots, hidden, places }: RootsDeps): Roots {
  const [own] = roots;
  if (own === undefined) throw new Error("There is no workspace.");

  async function demand(path: string): Promise<string> {
    if (!isAbsolute(path)) throw outside("It must be an absolute path.");
    const found = await places.find(path);
    if (found === undefined) throw missing();
    // Outside first: whether something is there is nobody's business.
    const root = roots.find((one) => isInside(one, found.real));
    if (root === undefined) throw outside("It lies outside of the directories that sessions may work in.");
    if (relative(root, found.real).split(sep).includes(".git") || (await isHidden(found.real)))
      throw outside("What lies there is no agent's: git's own files, Fairlead's data, or keys.");
    if (found.kind !== "directory") throw missing();
    return found.real;
  }

  async function isHidden(real: string): Promise<boolean> {
    const found = await Promise.all(hidden.map((path) => places.find(path)));
    return found.some((place, i) => isInside(place?.real ?? (hidden[i] as string), real));
  }

  return {
    all: roots,
    demand,
    async of(state) {
      const source = state?.workspace_source ?? undefined;
      if (source === undefined) return own;
      try {
        if ((await demand(source)) === source) return source;
      } catch (error) {
        if (!(error instanceof FairleadError)) throw error;
      }
      throw new FairleadError("workspace_unavailable", {
        message: "The directory that this session was started in cannot be used here any more.",
        details: { workspace: source },
      });
    },
  };
}

function outside(message: string): FairleadError {
  return new FairleadError("workspace_outside", { message });
}

function missing(): FairleadError {
  return new FairleadError("workspace_missing");
}
