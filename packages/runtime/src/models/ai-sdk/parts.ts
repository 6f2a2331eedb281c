import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { type FinishReason, ModelFault, type ModelPart } from "../../ports/model.ts";
import { type Block, providerDataOf } from "./provider-data.ts";

/** What a provider streams, as parts of ours, while it comes. */
export interface Parts {
  /** False once the answer is over. Throws what the provider reports. */
  take(part: LanguageModelV4StreamPart, into: ModelPart[]): boolean;
}

/**
 * Calls are held back until the answer has ended well: the SDK makes a call of half its arguments where the stream breaks
 * off.
 */
export function createParts(): Parts {
  const blocks = new Map<string, Block>();
  const calls: Extract<ModelPart, { type: "tool_call" }>[] = [];

  /** The block that a part belongs to, with what the part says of it. */
  function block(key: string, empty: Block, meta: SharedV4ProviderMetadata | undefined): Block {
    const known = blocks.get(key) ?? empty;
    const next = { ...known, ...merged(known.meta, meta) };
    blocks.set(key, next);
    return next;
  }

  return {
    take(part, into) {
      switch (part.type) {
        case "text-start":
        case "text-end":
        case "text-delta": {
          const key = `text ${part.id}`;
          const found = block(key, { type: "text", chars: 0 }, part.providerMetadata);
          if (part.type !== "text-delta" || part.delta === "" || found.type !== "text") break;
          blocks.set(key, { ...found, chars: found.chars + part.delta.length });
          into.push({ type: "text", text: part.delta });
          break;
        }
        case "reasoning-start":
        case "reasoning-end":
        case "reasoning-delta": {
          const key = `thinking ${part.id}`;
          const found = block(key, { type: "thinking", text: "" }, part.providerMetadata);
          if (part.type !== "reasoning-delta" || part.delta === "" || found.type !== "thinking") break;
          blocks.set(key, { ...found, text: found.text + part.delta });
          into.push({ type: "thinking", text: part.delta });
          break;
        }
        case "tool-call":
          // What the provider ran itself is no call to us.
          if (part.providerExecuted) break;
          block(`call ${part.toolCallId}`, { type: "call", id: part.toolCallId }, part.providerMetadata);
          calls.push({
            type: "tool_call",
            tool_call_id: part.toolCallId,
            name: part.toolName,
            arguments: part.input,
          });
          break;
        case "error":
          throw part.error;
        case "finish": {
          const reason = finishReason(part.finishReason, calls.length > 0);
          into.push(...calls);
          const data = providerDataOf([...blocks.values()]);
          if (data !== undefined) into.push({ type: "provider_data", data });
          const used = usagePart(part.usage);
          if (used !== undefined) into.push(used);
          into.push({ type: "finish", reason });
          return false;
        }
        default:
          // Warnings, metadata, sources and what a newer SDK adds: nothing that an answer of ours holds.
          break;
      }
      return true;
    },
  };
}

/** A whole stream of them. It is read to its end, though the answer may be over before. */
export async function* toParts(stream: AsyncIterable<LanguageModelV4StreamPart>): AsyncGenerator<ModelPart> {
  const parts = createParts();
  let open = true;
  for await (const part of stream) {
    if (!open) continue;
    const made: ModelPart[] = [];
    open = parts.take(part, made);
    yield* made;
  }
}

function merged(
  before: SharedV4ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata | undefined,
): { meta?: SharedV4ProviderMetadata } {
  if (added === undefined) return {};
  const meta: SharedV4ProviderMetadata = { ...before };
  for (const [provider, values] of Object.entries(added)) meta[provider] = { ...meta[provider], ...values };
  return { meta };
}

function finishReason({ unified, raw }: LanguageModelV4FinishReason, called: boolean): FinishReason {
  switch (unified) {
    case "length":
      return "length";
    case "content-filter":
      return "filter";
    case "error":
    case "interrupted":
      throw new ModelFault("unavailable", `The provider broke off the answer${raw ? ` (${raw})` : ""}.`);
    case "tool-calls":
    case "stop":
    case "other":
      return called ? "tool_calls" : "stop";
  }
}

/** Undefined where the provider does not say it, which is not the same as nothing: no request is of no tokens. */
function usagePart({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelPart | undefined {
  if (!inputTokens.total || outputTokens.total === undefined) return undefined;
  return {
    type: "usage",
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    ...(inputTokens.cacheRead ? { cached_input_tokens: inputTokens.cacheRead } : {}),
    ...(inputTokens.cacheWrite ? { cache_write_tokens: inputTokens.cacheWrite } : {}),
    ...(outputTokens.reasoning ? { reasoning_tokens: outputTokens.reasoning } : {}),
  };
}
