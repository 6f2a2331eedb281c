import type { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelPart } from "../../ports/model.ts";
import { createChatAnswer } from "./chat-answer.ts";
import { readEnd } from "./chat-end.ts";
import { createChatEvents } from "./chat-events.ts";
import { chatRequest } from "./chat-request.ts";
import { createParts } from "./parts.ts";
import { type Refusal, createRefusal } from "./refusal.ts";
import { send } from "./send.ts";
import type { Sent } from "./sent.ts";

export interface ChatEndpoint {
  readonly model: OpenAICompatibleChatLanguageModel;
  readonly url: URL;
  /** All that a request says beside what it asks. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How long a server may take to end a stream whose answer is complete: the connection can be used again only then. */
const LINGER_MS = 250;

/** So many parts may wait to be taken before no more is read. */
const MOST_WAITING = 64;

/** Made once: nobody is told. */
const GIVEN_UP = new Error("Nobody wants the answer any more.");

const ENDED = { done: true, value: undefined } as const;

/**
 * Streams an answer of chat completions. The SDK makes the request of the conversation; the answer is read here, because the
 * SDK's way through six streams costs more than all else of a short call. What arrives together is made parts of at once, and
 * they wait here to be taken: a generator for each step would hand every part on five times.
 */
export function chatStream(
  endpoint: ChatEndpoint,
  options: LanguageModelV4CallOptions,
): AsyncIterator<ModelPart> {
  const events = createChatEvents();
  const answer = createChatAnswer();
  const parts = createParts();
  let waiting: ModelPart[] = [];
  let taken = 0;
  let state: "new" | "open" | "over" = "new";
  let fault: { readonly error: unknown } | undefined;
  let wanted: PromiseWithResolvers<IteratorResult<ModelPart>> | undefined;
  let refusal: Refusal | undefined;
  let sent: Sent | undefined;
  let paused = false;
  let late: NodeJS.Timeout | undefined;

  /** To whoever waits, what there is for them. */
  function tell(): void {
    if (wanted === undefined) return;
    const { resolve, reject } = wanted;
    const part = waiting[taken];
    if (part === undefined && state !== "over") return;
    wanted = undefined;
    if (part !== undefined) {
      taken += 1;
      return resolve({ done: false, value: part });
    }
    const broke = fault;
    fault = undefined;
    if (broke === undefined) resolve(ENDED);
    else reject(broke.error);
  }

  function close(broke?: { readonly error: unknown }): void {
    if (state === "over") return;
    state = "over";
    fault = broke;
    clearTimeout(late);
    options.abortSignal?.removeEventListener("abort", aborted);
    sent?.stop(GIVEN_UP);
    tell();
  }

  function aborted(): void {
    close({ error: options.abortSignal?.reason });
  }

  function hear(chunks: Iterable<unknown>): void {
    for (const chunk of chunks) for (const part of answer.take(chunk)) parts.take(part, waiting);
  }

  function heard(bytes: Uint8Array): void {
    if (state === "over") return;
    if (refusal !== undefined) {
      if (!refusal.take(bytes)) close({ error: refusal.error() });
      return;
    }
    try {
      hear(events.take(bytes));
    } catch (error) {
      return close({ error });
    }
    if (events.done()) late ??= setTimeout(ended, LINGER_MS);
    paused ||= waiting.length - taken > MOST_WAITING;
    if (paused) sent?.pause();
    tell();
  }

  function ended(): void {
    if (state === "over") return;
    if (refusal !== undefined) return close({ error: refusal.error() });
    try {
      if (!events.done()) hear(events.end());
      const { calls, finishReason, usage } = readEnd(answer.end());
      for (const call of calls) parts.take(call, waiting);
      parts.take({ type: "finish", finishReason, usage }, waiting);
      close();
    } catch (error) {
      close({ error });
    }
  }

  async function start(): Promise<void> {
    const { model, url, headers } = endpoint;
    const body = await chatRequest(model, options);
    // Given up meanwhile.
    if (state === "over") return;
    if (options.abortSignal?.aborted === true) return aborted();
    options.abortSignal?.addEventListener("abort", aborted, { once: true });
    sent = send(url, headers, body, {
      began: (begun) => void (refusal = begun.status < 300 ? undefined : createRefusal(url, begun)),
      heard,
      ended,
      failed: (error) => (events.done() ? ended() : close({ error })),
    });
  }

  return {
    next() {
      const part = waiting[taken];
      if (part !== undefined) {
        taken += 1;
        return Promise.resolve({ done: false, value: part });
      }
      if (taken > 0) {
        waiting = [];
        taken = 0;
        const held = paused;
        paused = false;
        // What was held back may come at once, and be so much that no more is read again.
        if (held) sent?.resume();
      }
      wanted = Promise.withResolvers();
      const { promise } = wanted;
      if (state === "new") {
        state = "open";
        start().catch((error: unknown) => close({ error }));
      } else tell();
      return promise;
    },
    return() {
      close();
      return Promise.resolve(ENDED);
    },
  };
}
