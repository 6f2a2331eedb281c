import type { RequestedCall } from "@fairlead/contract";
import type { Guarded } from "../../domain/guard/types.ts";
import type { Timers } from "../../ports/timers.ts";
import type { Tool, ToolSource } from "../../ports/tool.ts";
import { TOOL_LIMITS, type ToolLimits } from "./limits.ts";
import { failure, outcomeOf } from "./outcome.ts";
import { joinTools } from "./names.ts";
import { runTool } from "./run.ts";
import { whenReady } from "./ready.ts";
import { createSelection } from "./selection.ts";
import type { ToolGateway } from "./types.ts";

export interface GatewayDeps {
  /** The first that has a name keeps it. */
  readonly sources: readonly ToolSource[];
  readonly check: (call: RequestedCall, tools: readonly Tool[], workspace: string) => Promise<Guarded>;
  readonly timers: Timers;
  /** Counts milliseconds, fractions included. */
  readonly stopwatch: () => number;
  readonly limits?: Partial<ToolLimits>;
  /** Names that nobody is offered and nobody can call. */
  readonly disabled?: readonly string[];
  /** Told once of each name that two sources claim, or that no model could call. Must not throw. */
  readonly report?: (problem: string) => void;
}

export function createToolGateway(deps: GatewayDeps): ToolGateway {
  const { sources, check, timers, stopwatch, disabled = [], report = () => {} } = deps;
  const limits = { ...TOOL_LIMITS, ...deps.limits };
  const joined = joinTools(sources, new Set(disabled), report);
  const select = createSelection(limits.offered);

  return {
    ready: whenReady(sources, timers, limits.readyMs),
    tools: () => joined().list,
    tool: (name) => joined().byName.get(name),
    offer: (query, also) => select(joined().list, query, also),

    async check(call, workspace) {
      try {
        return await check(call, joined().list, workspace);
      } catch (error) {
        // A guard that fails lets nothing through.
        const text = error instanceof Error ? error.message : String(error);
        return {
          ok: false,
          faults: [{ kind: "semantic", at: "", error: `The call could not be checked: ${text}` }],
        };
      }
    },

    async preview(call, context) {
      const tool = joined().byName.get(call.name);
      try {
        return (await tool?.preview?.(call.arguments, context)) ?? {};
      } catch {
        // What cannot be shown is said when it is run.
        return {};
      }
    },

    async run(call, context) {
      const tool = joined().byName.get(call.name);
      if (tool === undefined) return failure("error", `There is no tool ${call.name} any more.`, 0);
      return runTool({ timers, stopwatch, limits }, tool, call, context);
    },

    outcome(call, output, { turn_id, elapsed_ms }) {
      const tool = joined().byName.get(call.name);
      if (tool === undefined) return failure("error", `There is no tool ${call.name} any more.`, elapsed_ms);
      const settled = { how: "returned", output } as const;
      return outcomeOf({ settled, why: undefined, tool, call, turn_id, elapsed_ms, limits });
    },

    async close() {
      await Promise.allSettled(sources.map(async (source) => source.close()));
    },
  };
}
