/** The directory an agent works in. */
export interface Workspace {
  /** Absolute; `.` when nobody said which directory it is. */
  readonly root: string;
  /** What `~` stands for, where the root tells. */
  readonly home: string | undefined;
}

const HOME = /^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(\/|$)/;
/** No agent works in these, whatever it says. In /dev/shm there are directories as in /tmp; the rest below /dev holds none. */
const NO_WORKSPACE =
  /^\/?$|^\/(home|Users)\/[^/]+$|^\/(bin|boot|dev|etc|home|lib|lib64|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|Users|Library|System)$|^\/(etc|proc|sys|boot)\/|^\/dev\/(?!shm\/)/;
const DRIVE = /^[a-z]:\//i;

/**
 * The given directory, if it can be a workspace. Only where none is given does the first usable one of the claims count:
 * whoever asks does not choose where it may work. Without a workspace every absolute path is outside.
 */
export function workspaceOf(given: unknown, claims: readonly unknown[] = []): Workspace {
  for (const path of given === undefined ? claims : [given]) {
    if (typeof path !== "string" || !(path.startsWith("/") || DRIVE.test(slashed(path)))) continue;
    const root = resolvePath(path, "/", undefined);
    if (!NO_WORKSPACE.test(root)) return { root, home: HOME.exec(root)?.[1] };
  }
  return { root: ".", home: undefined };
}

/**
 * The path with `.` and `..` worked out, as text: links are not followed. It begins with `/`, with `~` when the
 * home directory is not known, or with `.` or `..` when the workspace is not known.
 */
export function resolvePath(path: string, cwd: string, home: string | undefined): string {
  const given = slashed(path);
  const whole =
    given.startsWith("/") || given.startsWith("~") || DRIVE.test(given) ? given : `${cwd}/${given}`;
  const [first = "", ...rest] = (home === undefined ? whole : whole.replace(/^~(?=\/|$)/, home)).split("/");
  const kept: string[] = [];
  for (const part of rest) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (first !== "" && !DRIVE.test(`${first}/`)) kept.push("..");
  }
  if (first === ".") return kept[0] === ".." ? kept.join("/") : [".", ...kept].join("/");
  if (first === "..") return ["..", ...kept].join("/");
  return kept.length === 0 ? first || "/" : `${first}/${kept.join("/")}`;
}

function slashed(path: string): string {
  return /^[a-z]:\\/i.test(path) ? path.replaceAll("\\", "/") : path;
}

/** Not what lies behind an open directory: `/dev/fd/3/x` is a file like any other. */
const HARMLESS = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd(\/\d+)?)$/;
const TEMPORARY = /^(\/private)?(\/var)?\/tmp(\/|$)/;
/** Programs, their libraries and what the machine says about itself: anyone reads them, nobody should write them. */
const READ_ONLY =
  /^(\/(usr|bin|sbin|lib|lib64|opt|nix\/store)(\/|$)|\/etc\/os-release$|\/proc\/(cpuinfo|meminfo|loadavg|version)$)/;

/** Whether a resolved path lies outside the workspace. Temporary files do not, unless the workspace is one itself. */
export function isOutside(path: string, { root }: Workspace, readsOnly: boolean): boolean {
  if (path === root || path.startsWith(`${root}/`)) return false;
  if (HARMLESS.test(path)) return false;
  if (TEMPORARY.test(path)) return TEMPORARY.test(root);
  return !(readsOnly && READ_ONLY.test(path));
}

/** The path that a `file:` address means. */
export function fileUrlPath(url: string): string {
  const path = url.replace(/^file:(\/\/[^/]*)?/i, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
