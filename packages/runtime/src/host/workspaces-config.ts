import { z } from "zod";

const DAY_MS = 24 * 3_600_000;
const MIB = 1024 * 1024;

/** What is kept of the project while a chat works in it, so that it can be branched from before a write. */
const ChatsConfig = z.strictObject({
  /** `false`: branches of chats have the project's files as they are then. */
  keep: z.boolean().default(true),
  /** A project that has more is not kept, nor one that takes longer to look at. */
  max_files: z.int().min(1).max(200_000).default(20_000),
  max_megabytes: z.number().positive().max(2_048).default(256),
  max_seconds: z.number().positive().max(60).default(2),
  /** All that is kept for one chat comes to about this at most; then no more is. */
  max_total_megabytes: z.number().positive().max(1_048_576).default(512),
  /** Days after which what was kept of a chat that is idle is let go of. */
  keep_days: z.number().min(0).max(3_650).default(30),
});

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
  chats: ChatsConfig.prefault({}),
});

export interface WorkspacesChoice {
  /** Absolute. */
  readonly directory?: string;
  /** Absolute. */
  readonly roots?: readonly string[];
  readonly isolate: "background" | "never";
  readonly keepMs: number;
  /** Without it, nothing is kept of the project. */
  readonly chats?: ChatsChoice;
}

export interface ChatsChoice {
  readonly files: number;
  readonly totalBytes: number;
  readonly patienceMs: number;
  readonly storeBytes: number;
  readonly keepMs: number;
}

export function workspacesChoice({
  isolate,
  directory,
  roots,
  keep_days,
  chats,
}: z.output<typeof WorkspacesConfig>): WorkspacesChoice {
  return {
    isolate,
    roots,
    keepMs: keep_days * DAY_MS,
    ...(directory === undefined ? {} : { directory }),
    ...(chats.keep ? { chats: chatsChoice(chats) } : {}),
  };
}

function chatsChoice(given: z.output<typeof ChatsConfig>): ChatsChoice {
  const { max_files, max_megabytes, max_seconds, max_total_megabytes, keep_days } = given;
  return {
    files: max_files,
    totalBytes: max_megabytes * MIB,
    patienceMs: max_seconds * 1_000,
    storeBytes: max_total_megabytes * MIB,
    keepMs: keep_days * DAY_MS,
  };
}
