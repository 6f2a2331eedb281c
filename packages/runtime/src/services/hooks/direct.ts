import type { NewEvent } from "@fairlead/contract";
import type { GuardedCall } from "../../domain/guard/types.ts";
import type { EventLog } from "../../ports/event-log.ts";
import { taken } from "../refusal.ts";
import type { DirectRequest, Permitted } from "../tools/direct.ts";
import type { ToolOutcome } from "../tools/types.ts";
import { hookEnded, hookEvent } from "./records.ts";
import type { HookGate, HookSubject } from "./types.ts";

/** Hooks around tools that a person runs: they stand in the way like in a turn. There is no turn that one after it could stop. */
export interface DirectHooks {
  before(call: GuardedCall, request: DirectRequest): Promise<Permitted>;
  after(call: GuardedCall, request: DirectRequest, outcome: ToolOutcome): Promise<void>;
}

export function directHooks(log: Pick<EventLog, "append">, hooks: HookGate): DirectHooks {
  /** Why it does not go on, where a hook says so. */
  async function run(
    on: "before_tool" | "after_tool",
    { name: tool_name, arguments: args, tool_call_id }: GuardedCall,
    { workspace, session_id, request_id: turn_id, agent_id, signal }: DirectRequest,
    outcome?: HookSubject["outcome"],
  ): Promise<string | undefined> {
    const write = async (event: NewEvent): Promise<void> => {
      const events = [{ ...event, turn_id, agent_id, cause: null }];
      taken(await log.append({ writes: [{ stream: session_id, events }] }));
    };
    const subject = {
      workspace,
      session_id,
      turn_id,
      tool_name,
      tool_call_id,
      arguments: args,
      ...(outcome && { outcome }),
    };
    for (const hook of hooks.at(on, tool_name)) {
      const end = await hooks.run(hook, subject, signal, () =>
        write(hookEvent(hook, "started", { tool_call_id })),
      );
      await write(hookEnded(hook, end, tool_call_id));
      if (end.status === "cancelled") return "The call was stopped.";
      if (end.blocks) return `The hook ${hook.name} does not let this run: ${end.reason ?? ""}`;
    }
    return undefined;
  }

  return {
    async before(call, request) {
      const reason = await run("before_tool", call, request);
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
    async after(call, request, { status, told }) {
      await run("after_tool", call, request, { status, text: told });
    },
  };
}
