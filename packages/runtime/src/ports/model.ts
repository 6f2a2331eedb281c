/** One part of a conversation as a model sees it. */
export interface Message {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface ModelRequest {
  /** Oldest first; the last is the one to answer. */
  readonly messages: readonly Message[];
}

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "filter";

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "usage"; readonly input_tokens: number; readonly output_tokens: number }
  /** The last part of every answer. A stream that ends without one was cut off. */
  | { readonly type: "finish"; readonly reason: FinishReason };

/** Whatever answers. Not trusted: callers check each part, and stop one that does not end. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  /** One answer, part by part. Rejects when the provider fails; ends soon after the signal aborts. Does not retry. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
