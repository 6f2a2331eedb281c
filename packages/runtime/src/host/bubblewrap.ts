import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "../ports/processes.ts";
import { liesIn } from "./contained.ts";
import { real } from "./paths.ts";

export interface BubblewrapOptions {
  /** The program itself. */
  readonly program: string;
  /** How it makes its user namespace: what this machine was found to allow. */
  readonly userns: readonly string[];
  /** Neither seen nor written: our data, keys, secrets of the user. */
  readonly hidden: readonly string[];
  /** Seen but not written, also where it lies in the workspace: our configuration. */
  readonly fixed: readonly string[];
  readonly network: "allow" | "deny";
}

/** Where programs of the machine leave things for each other: sockets that would do our bidding, keys of sessions. */
const EMPTIED = ["/tmp", "/var/tmp", "/run"];
/** What commands need of that all the same. */
const KEPT = ["/run/current-system", "/run/opengl-driver"];

/** The home is read-only, and programs that keep a cache would fail on that. */
const SCRATCH = { TMPDIR: "/tmp", XDG_CACHE_HOME: "/tmp/.cache", npm_config_cache: "/tmp/.npm" };

const ALWAYS = [
  // Root would keep its capabilities, and could unmount what hides things.
  "--cap-drop",
  "ALL",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--die-with-parent",
  "--new-session",
];

/**
 * The command, run by bubblewrap. What lies in or around the workspace is looked at now, not at the start: links may
 * have changed. Order matters: a mount covers what was there before it, so what contains the workspace comes first.
 */
export function bubblewrapped(options: BubblewrapOptions, command: Command, place: string): Command {
  const { program, userns, network } = options;
  const workspace = real(place);
  const emptied = there(EMPTIED);
  // What is in an emptied place is gone already, unless the workspace brings it back.
  const hidden = there(options.hidden).filter(
    (path) =>
      path !== workspace && (liesIn(workspace, path) || !emptied.some((place) => liesIn(place, path))),
  );
  const fixed = there(options.fixed);
  const isFixed = fixed.some((path) => liesIn(path, workspace));
  const inside = [...hidden, ...fixed].filter((path) => path !== workspace && liesIn(workspace, path));
  const covers: readonly Cover[] = [
    { path: "/dev", args: ["--dev", "/dev"] },
    { path: "/proc", args: ["--proc", "/proc"] },
    ...emptied.map((path) => ({ path, args: ["--tmpfs", path, ...keptOf(path)] })),
    ...hidden.map((path) => ({ path, args: hide(path) })),
  ];
  const around = covers.filter(({ path }) => liesIn(path, workspace));
  const others = covers.filter(({ path }) => !liesIn(path, workspace));
  const mounts = [
    ["--ro-bind", "/", "/"],
    ...around.map(({ args }) => args),
    [isFixed ? "--ro-bind" : "--bind", workspace, workspace],
    ...pins(workspace, inside).map((path) => ["--bind", path, path]),
    ...fixed.filter((path) => liesIn(workspace, path)).map((path) => ["--ro-bind", path, path]),
    ...others.map(({ args }) => args),
    ...hidden.filter(isDirectory).map((path) => ["--remount-ro", path]),
  ];
  return {
    argv: [
      program,
      ...userns,
      ...ALWAYS,
      ...(network === "deny" ? ["--unshare-net"] : []),
      ...mounts.flat(),
      "--chdir",
      real(command.cwd),
      "--",
      ...command.argv,
    ],
    cwd: command.cwd,
    env: { ...command.env, ...SCRATCH },
    keeper: true,
  };
}

interface Cover {
  readonly path: string;
  readonly args: readonly string[];
}

/** A mount point cannot be made where nothing is: in the workspace that would leave an empty directory behind. */
function there(paths: readonly string[]): readonly string[] {
  const found = paths.map(real).filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  return [...new Set(found)].toSorted((a, b) => a.length - b.length);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function hide(path: string): readonly string[] {
  return isDirectory(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function keptOf(path: string): readonly string[] {
  const kept = there([...KEPT, "/etc/resolv.conf"]).filter((one) => liesIn(path, one));
  return kept.flatMap((one) => ["--ro-bind", one, one]);
}

/**
 * Directories between the workspace and what is hidden in it become mounts of their own. Otherwise a command could
 * rename one of them, and the next command would find the hidden thing under another name.
 */
function pins(workspace: string, inside: readonly string[]): readonly string[] {
  const pinned = new Set<string>();
  for (const path of inside)
    for (let at = dirname(path); at !== workspace && liesIn(workspace, at); at = dirname(at)) pinned.add(at);
  return [...pinned].toSorted((a, b) => a.length - b.length);
}
