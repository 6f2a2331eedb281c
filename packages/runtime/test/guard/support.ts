import type { JsonSchema } from "@fairlead/contract";
import type { Guarded } from "../../src/domain/guard/types.ts";
import { places } from "../../src/host/places.ts";
import type { Tool } from "../../src/ports/tool.ts";
import type { GuardOptions } from "../../src/services/tools/guard.ts";
import { createGuard } from "../../src/services/tools/guard.ts";

export function tool(name: string, parameters: JsonSchema, more: Partial<Tool> = {}): Tool {
  return {
    spec: { name, description: name, parameters },
    access: "read",
    effect: "none",
    timeoutMs: 1_000,
    parallel: true,
    origin: "test",
    run: async () => ({ result: null }),
    ...more,
  };
}

/** One call of a tool through a guard: arguments as a model writes them, or as values. */
export async function checked(
  one: Tool | readonly Tool[],
  args: unknown,
  options: Partial<GuardOptions> & { readonly name?: string; readonly workspace?: string } = {},
): Promise<Guarded> {
  const tools = [one].flat() as Tool[];
  const { name = tools[0]?.spec.name ?? "", workspace = "/", ...rest } = options;
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return createGuard({ places, ...rest })(
    { tool_call_id: "call_1", name, arguments: text },
    tools,
    workspace,
  );
}

/** What went through, or the kinds and places of what did not. */
export function short(guarded: Guarded): unknown {
  return guarded.ok ? guarded.call.arguments : guarded.faults.map(({ kind, at }) => `${kind} ${at}`.trim());
}

/** The sentences for the model, or those about what was mended. */
export function said(guarded: Guarded): readonly string[] {
  return (guarded.ok ? guarded.call.repairs : guarded.faults).map(({ error }) => error);
}
