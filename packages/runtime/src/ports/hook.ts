import type { HookPoint } from "@fairlead/contract";

/** A hook as the configuration has it. */
export interface HookDefinition {
  readonly name: string;
  readonly on: HookPoint;
  /** Names of tools, `*` for any letters. Left out: every tool. */
  readonly tools?: readonly string[];
  /** A command or a module, one of them. Paths are relative to the configuration. */
  readonly command?: readonly [string, ...string[]];
  readonly module?: string;
  /** Whether what it says, or that it says nothing in form and time, keeps things from going on. */
  readonly blocking: boolean;
  readonly timeout_ms: number;
}

/** A file that is bound by its bytes. */
export interface HookFile {
  /** As the configuration names it. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** What a person is shown of it; null when it is no text. */
  text(most: number): string | null;
}

/** How a process of a hook ended, and what it said. */
export type HookRan =
  | {
      readonly kind: "exited";
      readonly code: number | null;
      readonly signal: string | null;
      readonly stdout: HookSaid;
      readonly stderr: HookSaid;
    }
  /** It could not be started. */
  | { readonly kind: "not_started"; readonly problem: string }
  | { readonly kind: "timed_out"; readonly stderr: HookSaid }
  | { readonly kind: "stopped" };

export interface HookSaid {
  readonly text: string;
  /** Whether that is all of it. */
  readonly whole: boolean;
}

/** A hook with the bytes that it consists of, read once: what is hashed and what is run are the same. */
export interface LoadedHook {
  /** The program of a command where it is bound by its place: absolute, and where links lead. */
  readonly program?: string;
  /** In the order in which the definition names them. */
  readonly files: readonly HookFile[];
  /** Runs those bytes, whatever lies at their place by now. `input` is what it reads. Never rejects. */
  run(input: string, signal: AbortSignal): Promise<HookRan>;
}

export type LoadHook =
  | { readonly ok: true; readonly hook: LoadedHook }
  | { readonly ok: false; readonly problem: string };

/** Where hooks are run. */
export interface HookHost {
  /** For running in this workspace, absolute; without one, in the project itself. Never rejects. */
  load(definition: HookDefinition, workspace?: string): Promise<LoadHook>;
}
