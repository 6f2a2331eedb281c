import { execFileSync } from "node:child_process";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The file of what the user has git ignore beside the rules in a checkout: in this one, or anywhere. It need not be there. */
export function excludesOf(program: string, env: Env, top = "/"): string | undefined {
  const { HOME: home, PATH: path = "" } = env;
  const config = configOf(env);
  if (home === undefined || config === undefined) return undefined;
  let file = "";
  try {
    file = execFileSync(program, ["config", "--type=path", "--get", "core.excludesFile"], {
      cwd: top,
      env: { PATH: path, HOME: home, XDG_CONFIG_HOME: config },
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    }).trim();
  } catch {
    // It says so with its exit code where nothing is set.
  }
  return file === "" ? join(config, "git", "ignore") : file;
}

/** The files in which the user sets what git does everywhere. They need not be there. */
export function configsOf(env: Env): readonly string[] {
  const config = configOf(env);
  const home = env["HOME"];
  return [
    "/etc/gitconfig",
    ...(config === undefined ? [] : [join(config, "git", "config")]),
    ...(home === undefined ? [] : [join(home, ".gitconfig")]),
  ];
}

function configOf({ HOME: home, XDG_CONFIG_HOME: config }: Env): string | undefined {
  return config ?? (home === undefined ? undefined : join(home, ".config"));
}
