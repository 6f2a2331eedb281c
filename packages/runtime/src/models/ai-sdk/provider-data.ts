import type { LanguageModelV4Message, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import { z } from "zod";
import type { Message } from "../../ports/model.ts";

type Said = Extract<Message, { role: "assistant" }>;
type Content = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type Call = NonNullable<Said["tool_calls"]>[number];

const Meta = z.custom<SharedV4ProviderMetadata>((value) => typeof value === "object" && value !== null);

/** An answer in its order, with what the provider wants to see again: signatures, item ids, encrypted reasoning. */
const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), text: z.string(), meta: Meta.optional() }),
  /** So many characters of the message's text. */
  z.object({ type: z.literal("text"), chars: z.int(), meta: Meta.optional() }),
  z.object({ type: z.literal("call"), id: z.string(), meta: Meta.optional() }),
]);
export type Block = z.infer<typeof Block>;

const ProviderData = z.object({ blocks: z.array(Block) });

/** Undefined where the provider wants nothing back. */
export function providerDataOf(blocks: readonly Block[]): unknown {
  if (blocks.every(({ meta }) => meta === undefined)) return undefined;
  return { blocks: blocks.filter((block) => block.type !== "thinking" || block.meta !== undefined) };
}

/** What the assistant said, as it goes back to the model called `name`. */
export function assistantParts(message: Said, name: string): Content {
  const calls = message.tool_calls ?? [];
  // Looked at first: what is not there fails in a way that costs more than all the rest.
  const gave = message.by === name && message.provider_data !== undefined;
  const data = gave ? ProviderData.safeParse(message.provider_data).data : undefined;
  if (data === undefined || !covers(data.blocks, message)) {
    const parts = calls.map((call) => callPart(call, undefined));
    return message.text === "" ? parts : [{ type: "text", text: message.text }, ...parts];
  }
  let at = 0;
  return data.blocks.flatMap((block): Content => {
    if (block.type === "thinking") return [{ type: "reasoning", text: block.text, ...options(block.meta) }];
    if (block.type === "text") {
      const text = message.text.slice(at, (at += block.chars));
      return text === "" ? [] : [{ type: "text", text, ...options(block.meta) }];
    }
    const call = calls.find(({ tool_call_id }) => tool_call_id === block.id);
    return call === undefined ? [] : [callPart(call, block.meta)];
  });
}

/** The message is still the one that the data was made with: redaction and editing change it. */
function covers(blocks: readonly Block[], { text, tool_calls = [] }: Said): boolean {
  const chars = blocks.reduce((sum, block) => sum + (block.type === "text" ? block.chars : 0), 0);
  const ids = new Set(blocks.map((block) => (block.type === "call" ? block.id : "")));
  return chars === text.length && tool_calls.every(({ tool_call_id }) => ids.has(tool_call_id));
}

function callPart(call: Call, meta: SharedV4ProviderMetadata | undefined): Content[number] {
  const { tool_call_id: toolCallId, name: toolName } = call;
  return { type: "tool-call", toolCallId, toolName, input: inputOf(call), ...options(meta) };
}

/** Providers take objects only. What could not be parsed goes back inside of one, so that the model sees its mistake. */
function inputOf({ arguments: text }: Call): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said in what is returned.
  }
  return { unparsable_arguments: text };
}

function options(meta: SharedV4ProviderMetadata | undefined): { providerOptions?: SharedV4ProviderMetadata } {
  return meta === undefined ? {} : { providerOptions: meta };
}
