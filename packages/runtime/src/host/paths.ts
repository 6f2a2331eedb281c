import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";

export interface HostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The user's home directory. */
  readonly home: string;
  /** What agents work in, where this process will run any: a server gives its own directory. */
  readonly workspace?: string;
}

export interface HostPaths {
  /** The log and its blobs. */
  readonly data: string;
  /** Keys and credentials: never inside what an agent works in, nor beside the data they protect. */
  readonly config: string;
}

/** Where this installation keeps its things. Makes nothing. Throws ConfigError. */
export function hostPaths({ env, cwd, home, workspace }: HostOptions): HostPaths {
  const data = resolve(cwd, env["FAIRLEAD_DATA"] || ".fairlead");
  // Only absolute, as its specification says; a relative one would lie in the workspace.
  const given = env["XDG_CONFIG_HOME"];
  const config = join(given && isAbsolute(given) ? given : join(home, ".config"), "fairlead");
  if (liesIn(data, config))
    throw new ConfigError(
      `The directory for keys, ${config}, lies inside the data directory, ${data}.`,
      "Whoever gets a copy of the data would get its keys. Choose another data directory with --data, or set XDG_CONFIG_HOME to a directory elsewhere.",
    );
  const agents = workspace === undefined ? undefined : resolve(cwd, workspace);
  if (agents !== undefined && liesIn(agents, config))
    throw new ConfigError(
      `The directory for keys, ${config}, lies inside the workspace, ${agents}: agents work where the runtime is started, and could read them.`,
      `Start in a folder of its own: mkdir -p ${join(agents, "agents")} && cd ${join(agents, "agents")}. To go on with the data that is here, add --data ${data}`,
    );
  return { data, config };
}

/** Links followed. */
function liesIn(outer: string, inner: string): boolean {
  const way = relative(real(outer), real(inner));
  return way === "" || !(way.split(/[\\/]/, 1)[0] === ".." || isAbsolute(way));
}

/** With links resolved as far as the path exists. */
export function real(path: string): string {
  // The native one asks the system once, not for each part of the path.
  if (existsSync(path)) return realpathSync.native(path);
  const parent = dirname(path);
  return parent === path ? path : join(real(parent), basename(path));
}
