import { blocks, type HookVerdict, verdictOf } from "../../domain/hooks/answer.ts";
import { hookHash } from "../../domain/hooks/hash.ts";
import { hooksAt } from "../../domain/hooks/matching.ts";
import type { HookTrust } from "../../domain/hooks/trust.ts";
import type { EventLog } from "../../ports/event-log.ts";
import type { HookDefinition, HookHost } from "../../ports/hook.ts";
import { type Redactor, redacted } from "../redaction.ts";
import type { HookGate, HookSubject } from "./types.ts";

export interface HookGateDeps {
  readonly log: Pick<EventLog, "row">;
  readonly host: HookHost;
  readonly hooks: readonly HookDefinition[];
  readonly redactor: Redactor;
  /** Milliseconds of a clock that only goes forward. */
  readonly stopwatch: () => number;
}

/** For an installation without hooks. */
export const NO_HOOKS: Pick<HookGateDeps, "hooks" | "host" | "stopwatch"> = {
  hooks: [],
  host: { load: async () => ({ ok: false, problem: "There are no hooks." }) },
  stopwatch: () => 0,
};

export function createHookGate({ log, host, hooks, redactor, stopwatch }: HookGateDeps): HookGate {
  return {
    at: (on, tool_name) => hooksAt(hooks, on, tool_name),
    async run(hook, subject, signal, begins) {
      const start = stopwatch();
      const { hash, ...verdict } = await attempt(hook, subject, signal, begins).catch(
        // Nobody knows whether it is trusted, or what it said.
        (error: unknown): HookVerdict & { hash?: string } => ({
          status: "failed",
          reason: `It could not be run: ${(error as Error).message}`,
        }),
      );
      return {
        ...redacted(redactor, verdict),
        ...(hash === undefined ? {} : { hash }),
        blocks: blocks(hook, verdict),
        elapsed_ms: Math.max(0, Math.round(stopwatch() - start)),
      };
    },
  };

  async function attempt(
    hook: HookDefinition,
    subject: HookSubject,
    signal: AbortSignal,
    begins: () => Promise<void>,
  ): Promise<HookVerdict & { readonly hash?: string }> {
    const loaded = await host.load(hook, subject.workspace);
    if (!loaded.ok) return { status: "failed", reason: `It cannot be run: ${loaded.problem}` };
    const hash = hookHash(hook, loaded.hook);
    const trust = await log.row<HookTrust>("hook", hook.name);
    if (trust?.hash !== hash) return { ...untrusted(hook, trust), hash };
    await begins();
    const line = JSON.stringify({ hook: hook.name, on: hook.on, ...subject });
    return { ...verdictOf(hook, await loaded.hook.run(`${line}\n`, signal)), hash };
  }
}

function untrusted({ name, blocking }: HookDefinition, trust: HookTrust | undefined): HookVerdict {
  const why =
    trust?.hash == null
      ? "Nobody has trusted it."
      : `It has changed since ${trust.actor} trusted it, and was not run.`;
  return {
    status: blocking ? "blocked" : "skipped",
    reason: `${why} Look at it and trust it: \`fairlead hooks trust ${name}\`.`,
    // Nothing that a model could try to do about it.
    told: "Only a person can change that.",
  };
}
