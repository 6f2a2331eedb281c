import { homedir, userInfo } from "node:os";
import { isAbsolute, relative } from "node:path";
import { isOwnName } from "@fairlead/contract";
import { type HostPaths, hostPaths } from "@fairlead/runtime/local";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The machine and the user, as a command sees them. */
export interface Host {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  /** Written into the log beside what this person does. */
  readonly user: string;
  /** How to call this program again, from the same directory. */
  readonly self: string;
}

export function thisHost(): Host {
  const { env } = process;
  return {
    env,
    cwd: process.cwd(),
    home: homedir(),
    user: userName(env),
    self: selfCommand(env, process.cwd()),
  };
}

function userName(env: Environment): string {
  const name = accountName(env);
  // An account for the server alone is often called so, and the log must tell its owner from the runtime.
  return isOwnName(name) ? `user ${name}` : name;
}

function accountName(env: Environment): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as containers have them.
    return env["USER"] || "operator";
  }
}

function selfCommand(env: Environment, cwd: string): string {
  if (env["npm_lifecycle_event"]) return "npm run fairlead --";
  // Not plain `node`: the one that is found first may be too old.
  return [process.execPath, process.argv[1] ?? ""].map((path) => shorter(path, cwd)).join(" ");
}

function shorter(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") || isAbsolute(way) ? path : way;
}

/** Where data and keys lie. With a workspace, the keys must lie outside of it. */
export function pathsOf(host: Host, data: string | undefined, workspace?: string): HostPaths {
  const env = data === undefined ? host.env : { ...host.env, FAIRLEAD_DATA: data };
  return hostPaths({
    env,
    cwd: host.cwd,
    home: host.home,
    ...(workspace === undefined ? {} : { workspace }),
  });
}
