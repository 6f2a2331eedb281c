import type { ToolGateway } from "../tools/types.ts";

/** The same tools, but only those of these names: what is not among them cannot be offered, checked or run. */
export function restricted(gateway: ToolGateway, names: readonly string[]): ToolGateway {
  const allowed = new Set(names);
  const none = (name: string) => `There is no tool ${name} for this sub-agent. It has: ${names.join(", ")}.`;
  return {
    ...gateway,
    tools: () => gateway.tools().filter(({ spec }) => allowed.has(spec.name)),
    tool: (name) => (allowed.has(name) ? gateway.tool(name) : undefined),
    offer(query, also) {
      // All of them are asked for by name, so that none falls behind those that are taken out again.
      const offer = gateway.offer(query, [...also, ...names]);
      return { ...offer, tools: offer.tools.filter(({ spec }) => allowed.has(spec.name)) };
    },
    async check(call, workspace) {
      const guarded = await gateway.check(call, workspace);
      if (!guarded.ok || allowed.has(guarded.call.name)) return guarded;
      return { ok: false, faults: [{ kind: "unknown_tool", at: "", error: none(guarded.call.name) }] };
    },
    async run(call, context) {
      if (allowed.has(call.name)) return gateway.run(call, context);
      const error = none(call.name);
      return { status: "denied", outcome_type: "ToolDenied", elapsed_ms: 0, error, told: error, events: [] };
    },
  };
}
