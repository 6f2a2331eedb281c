import type { HookPoint, HookRow, HookStatus, RouteReply } from "@fairlead/contract";
import type { Actor } from "../../domain/actor.ts";
import type { HookDefinition } from "../../ports/hook.ts";
import type { ToolArguments } from "../../ports/tool.ts";

/** What a hook is told: one line of JSON. */
export interface HookSubject {
  /** Where the session works, absolute: also where the hook runs. */
  readonly workspace: string;
  readonly session_id: string;
  readonly turn_id: string;
  /** At the start of a turn: what was asked for. */
  readonly input?: string;
  /** At its end: the answer. */
  readonly output?: string;
  readonly tool_name?: string;
  readonly tool_call_id?: string;
  readonly arguments?: ToolArguments;
  /** After a tool: how it ended, and what the model would be told. */
  readonly outcome?: { readonly status: string; readonly text: string };
}

/** How one hook ended. */
export interface HookEnd {
  readonly status: HookStatus;
  /** What it was asked about does not go on. */
  readonly blocks: boolean;
  /** Redacted. */
  readonly reason?: string;
  /** What a model is told instead. */
  readonly told?: string;
  readonly hash?: string;
  readonly elapsed_ms: number;
}

/** Hooks for whoever is about to do something. */
export interface HookGate {
  /** Those to run at this point, in order. */
  at(on: HookPoint, tool_name?: string): readonly HookDefinition[];
  /**
   * Only if a person trusts what it is at this moment, and then exactly that. `begins` is called right before it runs,
   * and only then. Never rejects.
   */
  run(
    hook: HookDefinition,
    subject: HookSubject,
    signal: AbortSignal,
    begins: () => Promise<void>,
  ): Promise<HookEnd>;
}

/** Hooks for people. */
export interface Hooks {
  list(actor: Actor): Promise<readonly HookRow[]>;
  /** With the text of its files. Throws hook_not_found. */
  get(actor: Actor, name: string): Promise<RouteReply<"getHook">>;
  /** Throws hook_not_found, hook_unusable, and hook_changed when it is not what has this hash. */
  trust(actor: Actor, name: string, hash: string): Promise<HookRow>;
  /** Idempotent. Throws hook_not_found when nobody has ever heard of it. */
  untrust(actor: Actor, name: string): Promise<void>;
  /** What a person should know before turns run: hooks that nobody trusts as they are. */
  problems(): Promise<readonly string[]>;
}
