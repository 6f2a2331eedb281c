import { randomUUID } from "node:crypto";
import {
  InvalidResponseDataError,
  type LanguageModelV4FinishReason,
  type LanguageModelV4ToolCall,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type Json, isObject } from "./json.ts";

/** What is left to say of an answer when it is over, as the server said it. */
export interface ChatEnd {
  /** In the order in which they began, each with an id of its own or none. */
  readonly calls: readonly Json[];
  readonly refused: boolean;
  readonly finish_reason: unknown;
  readonly usage: unknown;
}

/** The same in the SDK's words. */
export interface ReadEnd {
  readonly calls: readonly LanguageModelV4ToolCall[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

/**
 * Takes and refuses what the SDK's own `convertResponse` does, which a test holds it to: there a schema is walked through for
 * every answer. Throws where something is not what it should be.
 */
export function readEnd({ calls, refused, finish_reason: raw, usage }: ChatEnd): ReadEnd {
  if (typeof raw !== "string") throw noPart(raw);
  return {
    calls: calls.map(callOf),
    finishReason: { unified: reasonOf(raw, refused), raw },
    usage: usageOf(usage),
  };
}

function callOf({ id, function: said, extra_content }: Json): LanguageModelV4ToolCall {
  const { name, arguments: input } = isObject(said) ? said : {};
  if (typeof name !== "string" || typeof input !== "string") throw noPart(said);
  const thoughtSignature = signatureIn(extra_content);
  return {
    type: "tool-call",
    toolCallId: typeof id === "string" && id !== "" ? id : newId(),
    toolName: name,
    input,
    ...(thoughtSignature ? { providerMetadata: { compatible: { thoughtSignature } } } : {}),
  };
}

/** Letters and digits only: there are servers that take nothing else. */
function newId(): string {
  return randomUUID().replaceAll("-", "").slice(0, 16);
}

/** Gemini wants it back with the call. */
function signatureIn(extra: unknown): string | undefined {
  const signature = fieldOf(fieldOf(extra, "google"), "thought_signature") ?? undefined;
  if (signature !== undefined && typeof signature !== "string") throw noPart(signature);
  return signature;
}

function reasonOf(raw: string, refused: boolean): LanguageModelV4FinishReason["unified"] {
  switch (raw) {
    case "stop":
      return refused ? "content-filter" : "stop";
    case "length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "function_call":
    case "tool_calls":
      return "tool-calls";
    default:
      return "other";
  }
}

const COUNTS = ["prompt_tokens", "completion_tokens", "total_tokens"] as const;
const DETAILS = ["reasoning_tokens", "accepted_prediction_tokens", "rejected_prediction_tokens"] as const;

function usageOf(usage: unknown): LanguageModelV4Usage {
  if (usage == null)
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  const [input = 0, output = 0] = COUNTS.map((name) => countIn(usage, name));
  const cacheRead = countIn(fieldOf(usage, "prompt_tokens_details"), "cached_tokens") ?? 0;
  const details = fieldOf(usage, "completion_tokens_details");
  const [reasoning = 0] = DETAILS.map((name) => countIn(details, name));
  return {
    inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: Math.max(0, output - reasoning), reasoning },
  };
}

function countIn(value: unknown, name: string): number | undefined {
  const count = fieldOf(value, name) ?? undefined;
  if (count !== undefined && !Number.isFinite(count)) throw noPart(count);
  return count as number | undefined;
}

/** Of nothing it is nothing; what else has no fields is wrong. */
function fieldOf(value: unknown, name: string): unknown {
  if (value == null) return undefined;
  if (!isObject(value)) throw noPart(value);
  return value[name];
}

export function noPart(data: unknown): Error {
  return new InvalidResponseDataError({
    data: data ?? null,
    message: "The provider sent something that is no part of an answer.",
  });
}
