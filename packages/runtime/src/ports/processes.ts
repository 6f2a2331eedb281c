import type { Child } from "./tool.ts";

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of it: nothing of our own environment is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the program is told that it was called as: many are several in one. Without it, the first word. */
  readonly argv0?: string;
  /** The first word runs the rest and takes it down with itself: what it runs is asked to end, and it is not. */
  readonly keeper?: boolean;
}

export interface RunOptions {
  /** Ends the command and everything it started. */
  readonly signal: AbortSignal;
  /** How long after being asked to end it is ended by force. */
  readonly graceMs: number;
  /** What is kept of each output: its beginning and its end. */
  readonly keep: { readonly head: number; readonly tail: number };
  /** What it can read. Without it there is nothing to read. */
  readonly input?: string;
}

export interface Captured {
  /** With a note in the middle where something is missing. */
  readonly text: string;
  readonly bytes: number;
  readonly dropped: number;
}

export interface Ran {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** It was asked to end while it ran. */
  readonly stopped: boolean;
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** The command first, then what it had left behind, each with how it ended. */
  readonly children: readonly Child[];
}

/** Runs commands, each with whatever it starts as one group. Resolves when the group is gone; rejects when it cannot start. */
export interface Processes {
  run(command: Command, options: RunOptions): Promise<Ran>;
}

/** Which isolation was asked for and which the work gets, in the words of `sandbox_notice`. */
export interface Isolation {
  /** As configured: `auto`, `bubblewrap` or `none`. */
  readonly requested_backend: string;
  /** `bubblewrap`, `none`, or `unavailable` where nothing is run. */
  readonly resolved_backend: string;
  /** `workspace`: only that can be written to. `none`. `not_run`. */
  readonly isolation: string;
  readonly reason: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What stands between a command and the machine. */
export interface Sandbox {
  /** As it is told to people: `none`, `bubblewrap`. */
  readonly name: string;
  readonly isolation: Isolation;
  /** What whoever writes commands should know of it. */
  readonly about?: string;
  /** Why nothing is run at all: the isolation that was asked for cannot be had. */
  readonly refuses?: string;
  wrap(command: Command, workspace: string): Command;
}
