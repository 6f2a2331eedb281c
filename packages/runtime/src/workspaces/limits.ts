/** What a workspace or a snapshot takes at most. */
export interface WorkspaceLimits {
  /** Larger files that git does not track are left out, and said. */
  readonly fileBytes: number;
  /** More than this is refused, of what git does not track or what is copied. */
  readonly totalBytes: number;
  readonly files: number;
  readonly diffBytes: number;
  readonly diffFiles: number;
}

export const WORKSPACE_LIMITS: WorkspaceLimits = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 2 * 1024 * 1024 * 1024,
  files: 200_000,
  diffBytes: 512 * 1024,
  diffFiles: 1_000,
};

/** The first few, and how many more there are. */
export function someOf(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => JSON.stringify(path));
  return paths.length > 3 ? `${shown.join(", ")} and ${paths.length - 3} more` : shown.join(", ");
}
