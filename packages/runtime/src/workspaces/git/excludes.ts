import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The file of what the user has git ignore in every project; undefined where there is none. */
export function excludesOf(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { HOME: home, XDG_CONFIG_HOME: config, PATH: path = "" } = env;
  if (home === undefined) return undefined;
  let file = "";
  try {
    const asked = ["config", "--global", "--type=path", "--get", "core.excludesFile"];
    file = execFileSync(program, asked, {
      cwd: "/",
      env: { PATH: path, HOME: home, ...(config === undefined ? {} : { XDG_CONFIG_HOME: config }) },
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    }).trim();
  } catch {
    // It says so with its exit code where nothing is set.
  }
  const place = file === "" ? join(config ?? join(home, ".config"), "git", "ignore") : file;
  return existsSync(place) ? place : undefined;
}
