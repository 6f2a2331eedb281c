import type { RequestedCall } from "@fairlead/contract";
import { splitBlocks } from "./blocks.ts";
import { add, change, type Handlers, note, type Told } from "./fold.ts";
import type { TextItem, ThinkingItem } from "./items.ts";
import type { View } from "./model.ts";

export const OUTPUT: Handlers = {
  thinking(view, { text }, told) {
    const last = view.items.at(-1);
    const grown = `${last?.kind === "thinking" && !last.final ? last.text : ""}${text}`;
    const next = { ...view, lastThinking: grown };
    if (last?.kind === "thinking" && !last.final)
      return change(next, "thinking", last.key, (item) => ({ ...item, text: grown }));
    return add(settled(next), { kind: "thinking", key: told.id, final: false, text });
  },
  token(view, { text, step }, told) {
    const last = view.items.at(-1);
    if (last?.kind === "text" && !last.final && last.step === step)
      return change(view, "text", last.key, (item) => grown(item, text));
    return add(settled(view), grown(emptyText(told, step), text));
  },
  response(before, { text, step, tool_calls = [] }, told) {
    const view = { ...before, calls: argumentsOf(tool_calls) };
    const shown = view.items.some((item) => item.kind === "text" && !item.final && item.step === step);
    // A model that does not stream says it all at once.
    if (shown || text === "") return settled(view);
    return settled(add(settled(view), grown(emptyText(told, step), text)));
  },
  output_superseded(view, { reason }, told) {
    const items = view.items.map((item) =>
      item.kind === "text" && !item.final ? { ...item, superseded: true, final: true } : item,
    );
    return note(settled({ ...view, items }), told, `Cut off: ${reason}`);
  },
  reflection(before, { text, tool_calls = [] }, told) {
    const view = settled({ ...before, calls: argumentsOf(tool_calls) });
    return text === "" ? view : note(view, told, `Looking back: ${text}`);
  },
  usage(view, payload) {
    const { usage } = view;
    // What a sub-agent used is used, but is in its own context, and of its own model.
    const own = payload.subagent === undefined;
    const cost = payload.cost_usd === undefined ? usage.cost : (usage.cost ?? 0) + payload.cost_usd;
    return {
      ...view,
      model: (own ? payload.model : undefined) ?? view.model,
      usage: {
        input: usage.input + payload.input_tokens,
        output: usage.output + payload.output_tokens,
        cached: usage.cached + (payload.cached_input_tokens ?? 0),
        calls: usage.calls + (own ? 1 : 0),
        cost,
        context: own ? payload.input_tokens + payload.output_tokens : usage.context,
      },
    };
  },
  context_warning: (view, { message, limit_tokens }, told) =>
    note({ ...view, contextLimit: limit_tokens ?? view.contextLimit }, told, message, "warning"),
  context_compacted: (view, { original_count, compacted_count, tokens_saved }, told) =>
    note(
      view,
      told,
      `Context compacted: ${original_count} messages became ${compacted_count}, ${tokens_saved} tokens saved.`,
    ),
};

function emptyText({ id }: Told, step: number | undefined): TextItem {
  return { kind: "text", key: id, final: false, blocks: [], tail: "", step, superseded: false };
}

function grown(item: TextItem, text: string): TextItem {
  const tail = item.tail + text;
  if (!text.includes("\n") && !item.tail.endsWith("\n")) return { ...item, tail };
  const { finished, rest } = splitBlocks(tail);
  return { ...item, blocks: [...item.blocks, ...finished], tail: rest };
}

/** Whatever was being said is said. */
export function settled(view: View): View {
  const open = ({ kind, final }: View["items"][number]): boolean =>
    (kind === "text" || kind === "thinking") && !final;
  if (!view.items.some(open)) return view;
  return {
    ...view,
    items: view.items.map((item) =>
      open(item) ? ({ ...item, final: true } as TextItem | ThinkingItem) : item,
    ),
  };
}

/** By the id of the call: what a question about it shows. */
function argumentsOf(calls: readonly RequestedCall[]): Readonly<Record<string, string>> {
  return Object.fromEntries(calls.map((call) => [call.tool_call_id, call.arguments]));
}
