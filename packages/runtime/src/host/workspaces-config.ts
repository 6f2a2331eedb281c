import { z } from "zod";

const DAY_MS = 24 * 3_600_000;

/** Where background work writes, and how long its files are kept. */
export const WorkspacesConfig = z.strictObject({
  /** `background`: background sessions that write get a place of their own. `never`: they write in the project. */
  isolate: z.enum(["background", "never"]).default("background"),
  /** Where their files are; in the user's directory for the state of programs unless given. */
  directory: z.string().min(1).optional(),
  /** Directories that sessions may be started in, beside the one that the server works in. */
  roots: z.array(z.string().min(1)).max(100).default([]),
  /** Days that the files of a session are kept after it has ended. Snapshots stay for as long as the session does. */
  keep_days: z.number().min(0).max(3_650).default(7),
});

export interface WorkspacesChoice {
  /** Absolute. */
  readonly directory?: string;
  /** Absolute. */
  readonly roots?: readonly string[];
  readonly isolate: "background" | "never";
  readonly keepMs: number;
}

export function workspacesChoice({
  isolate,
  directory,
  roots,
  keep_days,
}: z.output<typeof WorkspacesConfig>): WorkspacesChoice {
  return { isolate, roots, keepMs: keep_days * DAY_MS, ...(directory === undefined ? {} : { directory }) };
}
