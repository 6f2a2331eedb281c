import type { ShellCommand } from "../shell/commands.ts";
import type { Meter } from "../meter.ts";
import { spend } from "../meter.ts";
import type { Workspace } from "./places.ts";
import { fileUrlPath, isOutside, resolvePath } from "./places.ts";

/** Programs that only look at what they are given. */
const READS = new Set(
  `cat bat head tail less more ls ll dir tree file stat wc du df find fd grep egrep fgrep zgrep rg ag diff cmp sort uniq cut
   which whereis type realpath readlink basename dirname ldd nm objdump readelf strings md5sum sha1sum sha256sum xxd od test
   [ [[ cd pushd source . node python python3 ruby perl sh bash`.split(/\s+/),
);
/** Programs whose words are text. */
const SAYS = new Set(["echo", "printf", ":", "true", "false", "for", "case", "export", "alias"]);
/** Programs whose first word is a pattern or a script. */
const PATTERN_FIRST = new Set("grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq yq tr".split(" "));
/** With one of these the pattern stands elsewhere, and every word may be a file. */
const PATTERN_ELSEWHERE = /^(-[a-zA-Z]*[ef]|--(regexp|file|expression|from-file))/;
/** Options whose next word is text, by program. */
const TEXT_OPTIONS: Readonly<Record<string, RegExp>> = {
  git: /^(-[a-z]*m|--message)$/,
  find: /^-(i?name|i?path|i?regex|type|newer[a-z]*|mtime|size)$/,
};
const CONTAINERS = new Set(["docker", "podman", "nerdctl"]);
const URL = /^[a-z][a-z0-9+.-]*:\/\//i;

export interface CommandPaths {
  readonly paths: readonly string[];
  readonly outside: readonly string[];
  /** Where the next command stands. */
  readonly cwd: string;
}

/** The files that a command names, resolved from where it stands; as many as there is room for. */
export function commandPaths(
  command: ShellCommand,
  cwd: string,
  workspace: Workspace,
  meter: Meter,
): CommandPaths {
  const resolve = (path: string): string[] => affordable(meter, path, cwd, workspace);
  const named = [...new Set(candidates(command).flatMap(resolve))];
  const assigned = command.assigned.flatMap(parts).flatMap(resolve);
  const redirected = command.redirects.filter((target) => target !== "").flatMap(resolve);
  const reads = READS.has(command.name);
  return {
    paths: [...named, ...redirected, ...assigned],
    outside: [
      ...named.filter((path) => isOutside(path, workspace, reads)),
      ...redirected.filter((path) => isOutside(path, workspace, false)),
      ...assigned.filter((path) => isOutside(path, workspace, true)),
    ],
    cwd: nextCwd(command, cwd, resolve),
  };
}

/** The path, resolved, if there is still room for it: a long directory before each of many names comes to a lot. */
export function affordable(meter: Meter, path: string, cwd: string, { home }: Workspace): string[] {
  return spend(meter, "made", path.length + cwd.length) ? [resolvePath(path, cwd, home)] : [];
}

function nextCwd({ name, words }: ShellCommand, cwd: string, resolve: (path: string) => string[]): string {
  if (name !== "cd" && name !== "pushd") return cwd;
  const target = words.slice(1).find((word) => !word.startsWith("-")) ?? "~";
  return resolve(target)[0] ?? cwd;
}

function candidates({ name, words }: ShellCommand): string[] {
  if (SAYS.has(name)) return [];
  const found: string[] = [];
  const text = Object.hasOwn(TEXT_OPTIONS, name) ? TEXT_OPTIONS[name] : undefined;
  let pattern = PATTERN_FIRST.has(name) && !words.some((word) => PATTERN_ELSEWHERE.test(word));
  for (const [i, word] of words.entries()) {
    if (i === 0 || text?.test(words[i - 1] as string)) continue;
    if (word.startsWith("-")) found.push(...attached(word));
    else if (pattern) pattern = false;
    else {
      found.push(...parts(word).slice(0, CONTAINERS.has(name) ? 1 : undefined));
      // `HEAD:.env` is a file of a commit.
      const [, file] = name === "git" ? (/^[\w./~^@{}-]*:([^:@]+)$/.exec(word) ?? []) : [];
      if (file !== undefined && !URL.test(word)) found.push(file);
    }
  }
  return found;
}

/** `--file=x`, `-I/x`: a value in the same word as its option. */
function attached(option: string): string[] {
  const [, value] = /^--?[^=]*=(.+)$/s.exec(option) ?? /^-[a-zA-Z]([/~.].*)$/s.exec(option) ?? [];
  return value === undefined ? [] : parts(value);
}

/** A word may hold its path behind `@` or `key=`, or hold several; of a volume only the first is on this machine. */
function parts(word: string): string[] {
  if (/^file:/i.test(word)) return [fileUrlPath(word)];
  if (URL.test(word)) return [];
  const value = /^[\w.-]*=(.+)$/s.exec(word)?.[1] ?? word;
  const bare = value.replace(/^.*?@(?=[/~.])/s, "").replace(/^@/, "");
  const pieces = /^[/~.]/.test(bare) && bare.includes(":") ? bare.split(":") : [bare];
  return pieces.filter(
    (piece) => piece !== "" && (/^[/~.]/.test(piece) || /^[a-z]:\\/i.test(piece) || !/\s/.test(piece)),
  );
}
