import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { real } from "./host/paths.ts";
import { secretPlaces } from "./host/secret-places.ts";
import type { WorkspacesChoice } from "./host/workspaces-config.ts";
import { hostFiles } from "./host/workspace-files.ts";
import type { Clock } from "./ports/clock.ts";
import type { Timers } from "./ports/timers.ts";
import type { Workspaces } from "./ports/workspaces.ts";
import { type CleanUpDeps, cleanUp } from "./services/workspaces/clean-up.ts";
import type { Worker } from "./workers/worker.ts";
import { workspaceCleanUp } from "./workers/workspace-clean-up.ts";
import { openWorkspaces } from "./workspaces/open.ts";

const KEEP_MS = 7 * 24 * 3_600_000;

export interface OpenPlacesOptions {
  readonly store: "memory" | { readonly sqlite: string } | { readonly postgres: string };
  readonly workspaces?: WorkspacesChoice;
}

interface PlaceParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly home: string;
  /** The data directory, then what else is in no workspace and no snapshot. */
  readonly own: readonly string[];
}

export interface OpenedPlaces {
  readonly workspaces: Workspaces;
  /** Where the files are, and what is kept of them: no session sees those of another. */
  readonly dirs: readonly string[];
  /** Takes away what is no longer needed. */
  cleaner(parts: Omit<CleanUpDeps, "workspaces" | "keepMs" | "keptMs"> & { readonly timers: Timers }): Worker;
}

/**
 * Places for the sessions of one log; none for a log in memory, unless it is said where. Those of another log are not ours to
 * clean up, so each has a directory of its own.
 */
export function openPlaces(
  { store, workspaces: choice }: OpenPlacesOptions,
  { env, clock, own, home }: PlaceParts,
): OpenedPlaces | undefined {
  const data = store === "memory" ? choice?.directory : own[0];
  if (data === undefined) return undefined;
  const database = store !== "memory" && "postgres" in store ? nameOf(store.postgres) : "";
  const dir = join(data, database === "" ? "workspaces" : `workspaces-${hashed(database)}`);
  // Neither in the project, where its own tools would find every file twice, nor in our data, which rules guard.
  const parent = real(choice?.directory ?? stateDirectory(env, home));
  const places = join(parent, hashed(`${real(data)}\n${database}`));
  const hidden = [...own, dir, places, ...secretPlaces(home)].map(real);
  const files = hostFiles({ hidden, fixed: [], open: [places, join(dir, "objects")] });
  const { keepMs = KEEP_MS, chats } = choice ?? {};
  const isolate = choice?.isolate !== "never";
  const project = chats === undefined ? {} : { project: chats };
  const workspaces = openWorkspaces({ dir, places, hidden, files, env, clock, isolate, ...project });
  return {
    workspaces,
    dirs: [places, join(dir, "objects")],
    cleaner: ({ timers, ...parts }) =>
      workspaceCleanUp({
        ...parts,
        timers,
        cleanUp: () => cleanUp({ ...parts, workspaces, keepMs, keptMs: chats?.keepMs ?? KEEP_MS }),
      }),
  };
}

/** Only absolute, as its specification says. */
function stateDirectory(env: PlaceParts["env"], home: string): string {
  const given = env["XDG_STATE_HOME"];
  return join(given && isAbsolute(given) ? given : join(home, ".local", "state"), "fairlead", "workspaces");
}

/** Without user and password: those may change. */
function nameOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: "", pathname: url };
  return `${host}${pathname}`;
}

function hashed(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
