import { existsSync } from "node:fs";

/** What a command is given of our environment. Everything else may be a key. */
const PASSED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SHELL"];

/** So that nothing waits for somebody at a keyboard, and output has no colours. */
const SET = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};

type Env = Readonly<Record<string, string | undefined>>;

export function shellEnv(env: Env): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (PASSED.includes(entry[0]) || /^LC_[A-Z]+$/.test(entry[0])),
  );
  return { PATH: "/usr/local/bin:/usr/bin:/bin", ...Object.fromEntries(passed), ...SET };
}

/** How a command line is run: by bash, which models write for, where there is one. No files of the user's are read. */
export function shellArgv(): readonly [string, ...string[]] {
  const bash = ["/bin/bash", "/usr/bin/bash"].find((path) => existsSync(path));
  return bash === undefined ? ["/bin/sh", "-c"] : [bash, "--noprofile", "--norc", "-c"];
}
