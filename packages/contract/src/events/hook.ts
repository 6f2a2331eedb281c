import { fact, text } from "./fields.ts";

/** When a hook is run. `turn_end`: before a turn completes; one that fails or is cancelled has nothing left to stop. */
export const HOOK_POINTS = ["turn_start", "before_tool", "after_tool", "turn_end"] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/**
 * `pending`: a tool has run, and nothing goes on before this hook has. `blocked`: it said so, or it blocks and nobody trusts it. `skipped`: nobody trusts it, and it does not block.
 * `cancelled`: the turn was stopped meanwhile, so it is run again if the turn goes on.
 */
const HOOK_STATUSES = [
  "pending",
  "started",
  "completed",
  "blocked",
  "failed",
  "timed_out",
  "skipped",
  "cancelled",
] as const;
export type HookStatus = (typeof HOOK_STATUSES)[number];

export const HOOK_EVENTS = {
  "runtime.hook.trusted": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A person trusts a hook as it was then: its definition, and the bytes of the files that it runs.",
    fields: { hook: text, hash: text, actor: text },
  }),
  "runtime.hook.untrusted": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A person trusts a hook no more.",
    fields: { hook: text, actor: text },
  }),
};
