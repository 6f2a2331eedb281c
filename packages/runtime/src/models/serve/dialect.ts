import type { RequestedCall } from "@fairlead/contract";
import type { FinishReason, ModelFault, ModelRequest, TokenUsage } from "../../ports/model.ts";

/** A request as it came over the wire. */
export interface Asked {
  readonly request: ModelRequest;
  /** Echoed: the script answers whatever is asked for. */
  readonly model: string;
  readonly stream: boolean;
  /** Usage is wanted in the stream, where a client must say so. */
  readonly usage: boolean;
}

/**
 * Writes one answer in the words of one API: as events, or whole at its end. Each member returns what goes out now;
 * an answer that is given whole returns nothing until `end`.
 */
export interface Encoder {
  readonly contentType: string;
  /** Said the same in every answer with this key: may be kept. Without one, frames count or name what was before. */
  readonly stable?: string;
  start(): string;
  text(words: readonly string[]): string;
  thinking(words: readonly string[]): string;
  /** `half`: only the first half of its arguments, and no end of it. */
  call(call: RequestedCall, half: boolean): string;
  garbage(value: unknown): string;
  /** A fault after the answer has begun. */
  fault(fault: ModelFault): string;
  end(reason: FinishReason, usage: TokenUsage): string;
}

export interface Dialect {
  /** Throws when the body is not of this API. */
  decode(body: Readonly<Record<string, unknown>>, path: string): Asked;
  encode(asked: Asked): Encoder;
  /** The body of an answer with an HTTP status of 400 or more. */
  error(status: number, message: string): unknown;
}

export const EVENTS = "text/event-stream; charset=utf-8";
const JSON_TYPE = "application/json";

export const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const namedFrame = (event: string, value: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
/** A text goes out as it is, so that it need not be JSON. */
export const garbageFrame = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

/** The halves of a text: some streams give arguments in pieces. */
export function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** What was said so far, for an answer that is given whole. */
export interface Collected {
  text: string;
  thinking: string;
  readonly calls: RequestedCall[];
}

/** An encoder that collects, and says everything at the end. */
export function wholeEncoder(
  whole: (collected: Collected, reason: FinishReason, usage: TokenUsage) => unknown,
): Encoder {
  const collected: Collected = { text: "", thinking: "", calls: [] };
  return {
    contentType: JSON_TYPE,
    start: () => "",
    text: (words) => ((collected.text += words.join("")), ""),
    thinking: (words) => ((collected.thinking += words.join("")), ""),
    call: (call) => (collected.calls.push(call), ""),
    garbage: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
    fault: () => "",
    end: (reason, usage) => JSON.stringify(whole(collected, reason, usage)),
  };
}
