import ignore, { type Ignore } from "ignore";

/** What the `.gitignore` files met so far leave out. */
export interface Ignores {
  with(directory: string, content: Uint8Array | undefined): Ignores;
  skips(path: string, isDirectory: boolean): boolean;
}

const MOST_LINES = 1_000;
const LONGEST_LINE = 200;
/** The patterns become regular expressions that backtrack, and a workspace may be hostile: many stars can take hours. */
const MOST_STARS = 2;
const MOST_DOUBLE = 3;

interface Rules {
  readonly directory: string;
  readonly matcher: Ignore;
}

export function gitIgnores(rules: readonly Rules[] = []): Ignores {
  return {
    with(directory, content) {
      if (content === undefined) return this;
      const lines = Buffer.from(content).toString("utf8").split(/\r?\n/).slice(0, MOST_LINES);
      const matcher = ignore({ allowRelativePaths: true }).add(lines.filter(isTame));
      return gitIgnores([...rules, { directory, matcher }]);
    },

    // The innermost file that says something decides, as in git.
    skips(path, isDirectory) {
      for (const { directory, matcher } of rules.toReversed()) {
        const { ignored, unignored } = matcher.test(below(directory, path) + (isDirectory ? "/" : ""));
        if (ignored || unignored) return ignored;
      }
      return false;
    },
  };
}

/** What is not is passed over: a file too many is listed. */
function isTame(line: string): boolean {
  const stars = line.match(/\*+/g) ?? [];
  const single = stars.filter((run) => run.length === 1).length;
  return line.length <= LONGEST_LINE && single <= MOST_STARS && stars.length - single <= MOST_DOUBLE;
}

/** The way from a directory to something in it. Both are plain absolute paths; a walk asks for thousands. */
export function below(directory: string, path: string): string {
  return path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);
}
