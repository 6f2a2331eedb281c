import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  JSONParseError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { ask } from "./ask.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { sewn } from "./merge-events.ts";
import { mergeChat } from "./merges.ts";
import { unpacked } from "./unpacked.ts";

export interface ChatEndpoint {
  readonly model: OpenAICompatibleChatLanguageModel;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Streams an answer of chat completions. The SDK makes the request of the conversation and calls and usage of the answer; the
 * stream between them is read here, because the SDK's way through six streams costs more than all else of a short call.
 */
export async function* chatStream(
  { model, url, headers }: ChatEndpoint,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { body } = await model.prepareRequest(options);
  const response = await ask(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
    signal: options.abortSignal ?? null,
  });
  if ((response.statusCode ?? 500) >= 300) throw await refusalOf(url, response);
  const answer = createChatAnswer();
  for await (const data of messages(unpacked(response))) yield* answer.take(read(data));
  const { providerOptions } = options;
  const made = await model.convertResponse({
    body: answer.whole(),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  });
  for (const part of made.content) if (part.type === "tool-call") yield part;
  const { finishReason, usage } = made;
  yield { type: "finish", finishReason, usage };
}

const DONE = "[DONE]";
/** How long a server may take to end a stream whose answer is complete: the connection can be used again only then. */
const LINGER_MS = 250;

/** What the events say, until the answer is done. Those that differ in one word are one. */
async function* messages(body: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let done = false;
  let late: NodeJS.Timeout | undefined;
  // Whoever reads hears of it; after that it concerns nobody.
  body.on("error", () => {});
  try {
    for await (const bytes of body) {
      const text = rest + decoder.decode(bytes as Buffer, { stream: true });
      // The second half of a line end may still come.
      const end = text.endsWith("\r") ? text.length - 1 : text.length;
      const events = lines(text.slice(0, end)).split("\n\n");
      rest = (events.pop() ?? "") + text.slice(end);
      for (const event of sewn(events, mergeChat)) {
        const data = dataOf(event);
        done ||= data === DONE;
        if (data !== "" && !done) yield data;
      }
      if (done) late ??= setTimeout(() => body.destroy(), LINGER_MS);
    }
    const last = dataOf(lines(rest + decoder.decode()));
    if (last !== "" && last !== DONE && !done) yield last;
  } catch (error) {
    if (!done) throw error;
  } finally {
    clearTimeout(late);
  }
}

function lines(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** The data of an event, in however many lines; empty for a comment. */
function dataOf(event: string): string {
  if (event.startsWith("data: ") && !event.includes("\n")) return event.slice(6);
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(line[5] === " " ? 6 : 5))
    .join("\n");
}

function read(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new JSONParseError({ text: data, cause });
  }
}

/** More of what a server says of a fault is not read. */
const MOST_SAID = 64 * 1024;

async function refusalOf(url: URL, response: IncomingMessage): Promise<Error> {
  let responseBody = "";
  for await (const some of unpacked(response).setEncoding("utf8")) {
    responseBody += String(some);
    if (responseBody.length > MOST_SAID) break;
  }
  return new APICallError({
    message: saidIn(responseBody) ?? movedTo(response) ?? response.statusMessage ?? "",
    url: url.href,
    requestBodyValues: {},
    statusCode: response.statusCode ?? 500,
    responseHeaders: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
    responseBody,
  });
}

function movedTo({ statusCode = 500, headers: { location } }: IncomingMessage): string | undefined {
  return statusCode < 400 && location !== undefined
    ? `The provider is somewhere else now: ${location}.`
    : undefined;
}

/** `{ error: { message } }`, or what others make of it. */
function saidIn(body: string): string | undefined {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const said =
      typeof error === "object" && error !== null && "message" in error ? error.message : (error ?? message);
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}
