import type { HookStatus, NewEvent } from "@fairlead/contract";
import type { HookDefinition } from "../../ports/hook.ts";
import type { HookEnd } from "./types.ts";

type Named = Pick<HookDefinition, "name" | "on" | "blocking">;

/** A word about a hook, without what says whose it is. */
export function hookEvent(
  { name, on, blocking }: Named,
  status: HookStatus,
  more: {
    readonly tool_call_id?: string;
    readonly reason?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  } = {},
): NewEvent {
  return { type: "runtime.hook.event", data: { hook: name, on, blocking, status, ...more } };
}

export function hookEnded(
  { name, on, blocking }: Named,
  { status, blocks, reason, hash, elapsed_ms }: HookEnd,
  tool_call_id: string | undefined,
): NewEvent {
  return {
    type: "runtime.hook.event",
    data: {
      hook: name,
      on,
      blocking,
      status,
      ...(blocks ? { blocks } : {}),
      ...(reason === undefined ? {} : { reason }),
      elapsed_ms,
      ...(hash === undefined ? {} : { hash }),
      ...(tool_call_id === undefined ? {} : { tool_call_id }),
    },
  };
}
