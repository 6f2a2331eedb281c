import { type IgnorePattern, ignorePattern, patternMatches } from "./ignore-pattern.ts";

/** What the rules met so far leave out, as git does it but for what it tracks all the same. */
export interface Ignores {
  /** With the rules of one more file, which count from this directory down. Undefined: there is no such file. */
  with(directory: string, content: Uint8Array | undefined): Ignores;
  /** Asked from the top down: what is in a directory that is left out is not asked about. */
  skips(path: string, isDirectory: boolean): boolean;
}

interface Rules {
  readonly directory: string;
  /** The last first: it decides. */
  readonly patterns: readonly IgnorePattern[];
}

/**
 * Not with regular expressions: those backtrack, a workspace may be hostile, and a pattern with many stars took hours. A
 * name over which rules are undecided after so many steps is left out.
 */
const MOST_STEPS = 500_000;
/** There git takes upper and lower case for the same. */
const FOLDS = process.platform === "darwin" || process.platform === "win32";

/** For what lies in a place that is ignored. */
export const EVERYTHING: Ignores = { with: () => EVERYTHING, skips: () => true };

export function gitIgnores(rules: readonly Rules[] = []): Ignores {
  return {
    with(directory, content) {
      if (content === undefined) return this;
      const patterns = bytesOf(Buffer.from(content))
        .replace(/^\xef\xbb\xbf/, "")
        .split("\n")
        .map(ignorePattern)
        .filter((pattern) => pattern !== undefined);
      return patterns.length === 0
        ? this
        : gitIgnores([...rules, { directory, patterns: patterns.toReversed() }]);
    },

    // The innermost file that says something decides, as in git.
    skips(path, isDirectory) {
      const effort = { left: MOST_STEPS };
      for (const { directory, patterns } of rules.toReversed()) {
        const way = bytesOf(Buffer.from(below(directory, path))).split("/");
        for (const pattern of patterns) {
          if (pattern.onlyDirectories && !isDirectory) continue;
          const matches = patternMatches(pattern, way, effort);
          if (effort.left <= 0) return true;
          if (matches) return !pattern.negated;
        }
      }
      return false;
    },
  };
}

/** Each byte a character. */
function bytesOf(buffer: Buffer): string {
  const text = buffer.toString("latin1");
  return FOLDS ? text.toLowerCase() : text;
}

/** The way from a directory to something in it. Both are plain absolute paths; a walk asks for thousands. */
export function below(directory: string, path: string): string {
  return path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);
}
