import type { Message } from "../../ports/model.ts";
import type { TokenCounter } from "../../ports/tokens.ts";
import type { ToolSpec } from "../../ports/tool.ts";

/**
 * A little more than most tokenizers make of English and of code: too early a warning is better than too late. They work
 * on bytes, so that a sign of Chinese is about one token, and not a part of one.
 */
const BYTES_PER_TOKEN = 3.5;

export const ESTIMATE: TokenCounter = {
  method: "estimate",
  count: (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN),
};

/** What surrounds a message on the wire. */
const MESSAGE_TOKENS = 4;

const counted = new WeakMap<Message, { readonly method: string; readonly tokens: number }>();

/** Counted once a message: conversations grow, and messages do not change. */
export function messageTokens(message: Message, counter: TokenCounter): number {
  const known = counted.get(message);
  if (known?.method === counter.method) return known.tokens;
  const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
  const said =
    counter.count(message.text) + calls.reduce((sum, call) => sum + counter.count(call.arguments), 0);
  const tokens = said + thoughtTokens(message) + MESSAGE_TOKENS * (1 + calls.length);
  counted.set(message, { method: counter.method, tokens });
  return tokens;
}

/** What the model thought goes back to it, in words or in a form of its own. */
function thoughtTokens(message: Message): number {
  if (message.role !== "assistant" || message.provider_data === undefined) return 0;
  return ESTIMATE.count(JSON.stringify(message.provider_data));
}

const specs = new WeakMap<ToolSpec, number>();

function specTokens(spec: ToolSpec): number {
  let tokens = specs.get(spec);
  if (tokens === undefined) specs.set(spec, (tokens = ESTIMATE.count(JSON.stringify(spec))));
  return tokens;
}

interface Sum {
  readonly method: string;
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/** What a conversation came to the last time, by its second message: the first is often the system's, and not its alone. */
const sums = new WeakMap<Message, Sum>();

/** Conversations grow at their end: what stands as it stood is not looked up again, message by message. */
function sumOf(messages: readonly Message[], counter: TokenCounter): number {
  const first = messages[1];
  if (first === undefined) return messages[0] === undefined ? 0 : messageTokens(messages[0], counter);
  const known = sums.get(first);
  const goesOn =
    known !== undefined &&
    known.method === counter.method &&
    known.messages.length <= messages.length &&
    known.messages.every((message, i) => message === messages[i]);
  let tokens = goesOn ? known.tokens : 0;
  for (let i = goesOn ? known.messages.length : 0; i < messages.length; i++)
    tokens += messageTokens(messages[i] as Message, counter);
  // A list of its own: the one that was given may grow.
  sums.set(first, { method: counter.method, messages: messages.slice(), tokens });
  return tokens;
}

export function contextTokens(
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  counter: TokenCounter,
): number {
  let tokens = sumOf(messages, counter);
  for (const spec of tools) tokens += specTokens(spec);
  return tokens;
}
