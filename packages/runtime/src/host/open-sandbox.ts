import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { Sandbox } from "../ports/processes.ts";
import { type BubblewrapOptions, bubblewrapped } from "./bubblewrap.ts";
import { closedSandbox, plainSandbox } from "./plain-sandbox.ts";
import { secretPlaces } from "./secret-places.ts";

export interface SandboxOptions extends Pick<BubblewrapOptions, "hidden" | "fixed" | "network"> {
  /** `auto`: bubblewrap where it works, else none. */
  readonly mode: "auto" | "bubblewrap" | "none";
  readonly workspace: string;
  readonly home: string;
  /** Where the program is looked for. Not along PATH: that may lead into a workspace. */
  readonly programs?: readonly string[];
}

const PROGRAMS = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
/** The strict one first; older releases know only the other. */
const USERNS = [["--unshare-user", "--disable-userns"], ["--unshare-user"]];
const PROBE_MS = 10_000;

/** What commands run in. Tries it out once: a program that is there may still not be allowed to do its work. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, network, home, workspace } = options;
  if (mode === "none")
    return plainSandbox({
      requested_backend: mode,
      reason: "The configuration asks for no isolation: commands run with all that this user may do.",
    });
  const given = { network, fixed: options.fixed, hidden: [...options.hidden, ...secretPlaces(home)] };
  const found = await working(options.programs ?? PROGRAMS, given, workspace);
  if ("problem" in found) {
    if (mode === "auto")
      return plainSandbox({
        requested_backend: mode,
        reason: `${found.problem} Commands run without isolation, with all that this user may do.`,
      });
    return closedSandbox(
      mode,
      `${found.problem} The configuration asks for bubblewrap (tools.sandbox.mode), so no command is run without it.`,
    );
  }
  return {
    name: "bubblewrap",
    isolation: {
      requested_backend: mode,
      resolved_backend: "bubblewrap",
      isolation: "workspace",
      reason: `Commands run in bubblewrap: the workspace can be written to, the rest is read-only, keys and Fairlead's own data are hidden, and the network is ${network === "deny" ? "closed" : "open"}.`,
      details: { network },
    },
    about: `Only the workspace can be written to, and /tmp, which is empty for each command.${network === "deny" ? " There is no network." : ""}`,
    wrap: (command, place) => bubblewrapped(found, command, place),
  };
}

type Given = Pick<BubblewrapOptions, "hidden" | "fixed" | "network">;

async function working(
  programs: readonly string[],
  given: Given,
  workspace: string,
): Promise<BubblewrapOptions | { readonly problem: string }> {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) return { problem: "bubblewrap is not installed on this machine." };
  let said = "";
  for (const userns of USERNS) {
    const options = { ...given, program, userns };
    try {
      await run(options, workspace);
      return options;
    } catch (error) {
      said = (error as Error).message;
    }
  }
  return { problem: `bubblewrap is installed and does not work here (${said}).` };
}

/** As every command is run, with nothing to do. */
function run(options: BubblewrapOptions, workspace: string): Promise<void> {
  const { argv, cwd, env } = bubblewrapped(
    options,
    { argv: ["/bin/sh", "-c", ":"], cwd: workspace, env: {} },
    workspace,
  );
  const [file, ...args] = argv;
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, env, timeout: PROBE_MS }, (error, _, stderr) => {
      if (error === null) resolve();
      else reject(new Error(stderr.trim().split("\n", 1)[0]?.slice(0, 300) || error.message));
    });
  });
}
