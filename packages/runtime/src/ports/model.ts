import type { RequestedCall, ThinkLevel } from "@fairlead/contract";
import type { ToolSpec } from "./tool.ts";

/** One part of a conversation as a model sees it. */
export type Message =
  | { readonly role: "system"; readonly text: string }
  /** `injected`: told by a supervisor or found for the request, and no request itself. */
  | { readonly role: "user"; readonly text: string; readonly injected?: true }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly tool_calls?: readonly RequestedCall[];
      /** What this provider wants back, as it gave it. Of use only to the model that gave it. */
      readonly provider_data?: unknown;
      /** `PROVIDER/ID` of the model that said it. */
      readonly by?: string;
    }
  /** Every requested call has exactly one, directly after the message that requested it. */
  | {
      readonly role: "tool";
      readonly tool_call_id: string;
      readonly name: string;
      readonly text: string;
      readonly failed: boolean;
    };

export interface ModelRequest {
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly think_level?: ThinkLevel;
  readonly max_output_tokens?: number;
}

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "filter" | "tool_calls";

export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Of the input, what was read from the provider's cache. */
  readonly cached_input_tokens?: number;
  /** Of the input, what was written into it. */
  readonly cache_write_tokens?: number;
  /** Of the output, what was reasoning. */
  readonly reasoning_tokens?: number;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  /** As the provider streams it; never made up. */
  | { readonly type: "thinking"; readonly text: string }
  /** A whole call, once its arguments are complete. The text of the arguments may still be no JSON. */
  | ({ readonly type: "tool_call" } & RequestedCall)
  | ({ readonly type: "usage" } & TokenUsage)
  | { readonly type: "provider_data"; readonly data: unknown }
  /** The last part of every answer. A stream that ends without one was cut off. */
  | { readonly type: "finish"; readonly reason: FinishReason };

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input read from the cache; `input` where it is not known. */
  readonly cached_input?: number;
  /** For input written into the cache; `input` where it is not known. */
  readonly cache_write?: number;
}

/** Why a call failed: what the caller may do about it hangs on this. */
export type ModelFaultKind =
  /** 429, or the provider says that a limit is reached. */
  | "rate_limit"
  /** 5xx, overloaded, connection refused or reset before or within the answer: worth another try. */
  | "unavailable"
  /** The key is missing or wrong. */
  | "auth"
  /** The provider does not take this request; another try would be the same. */
  | "refused"
  /** The conversation is longer than the model takes: worth another try once it is shorter. */
  | "too_long"
  /** What came is not an answer. */
  | "invalid";

interface FaultDetails {
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
  readonly unsent?: boolean;
}

export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly kind: ModelFaultKind;
  /** What the provider asks to wait. */
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  /** It never reached the provider. */
  readonly unsent: boolean;

  constructor(kind: ModelFaultKind, message: string, options: ErrorOptions & FaultDetails = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.unsent = options.unsent === true;
  }
}

/** Whatever answers. Not trusted: callers check each part, and stop one that does not end. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  /** What people call it here, where that is not its id. */
  readonly name?: string;
  /** The longest conversation it takes, in tokens, where that is known. */
  readonly contextTokens?: number;
  readonly price?: Price;
  /** Whether it was given a key; not said where none is asked for. */
  readonly hasKey?: boolean;
  /**
   * One answer, part by part. Rejects with a ModelFault when the provider fails; ends soon after the signal aborts.
   * Does not retry.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
