import { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import { expect, it } from "vitest";
import { createChatAnswer } from "../../src/models/ai-sdk/chat-answer.ts";
import { type ChatEnd, readEnd } from "../../src/models/ai-sdk/chat-end.ts";
import { toFault } from "../../src/models/ai-sdk/faults.ts";

const sdk = new OpenAICompatibleChatLanguageModel("m", {
  provider: "compatible.chat",
  url: () => "http://127.0.0.1/",
  headers: () => ({}),
});

function endOf(...chunks: readonly unknown[]): ChatEnd {
  const answer = createChatAnswer();
  for (const chunk of chunks) answer.take(chunk);
  return answer.end();
}

async function bySdk({ calls, refused, finish_reason, usage }: ChatEnd) {
  const message = { content: "", refusal: refused ? "No." : null, tool_calls: calls };
  const made = await sdk.convertResponse({ body: { choices: [{ message, finish_reason }], usage } });
  const { raw: _, ...used } = made.usage;
  return {
    calls: made.content.filter(({ type }) => type === "tool-call"),
    finishReason: made.finishReason,
    usage: used,
  };
}

const chunk = (delta: unknown, finish_reason: unknown = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const calling = (...tool_calls: readonly unknown[]) => chunk({ tool_calls });
const call = (more: object = {}, name: unknown = "f", args: unknown = '{"a":1}') => ({
  index: 0,
  id: "call_1",
  type: "function",
  function: { name, arguments: args },
  ...more,
});
const said = (finish_reason: unknown, usage?: unknown) => [
  chunk({ role: "assistant", content: "Hello" }),
  chunk({}, finish_reason, usage === undefined ? {} : { usage }),
];
const called = (...calls: readonly unknown[]) => [calling(...calls), chunk({}, "tool_calls")];
const signed = (extra_content: unknown) => called(call({ extra_content }));

const TAKEN: Readonly<Record<string, readonly unknown[]>> = {
  "OpenAI's text": [
    ...said("stop"),
    {
      choices: [],
      usage: {
        prompt_tokens: 19,
        completion_tokens: 10,
        total_tokens: 29,
        prompt_tokens_details: { cached_tokens: 7, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 4,
          audio_tokens: 0,
          accepted_prediction_tokens: 1,
          rejected_prediction_tokens: 0,
        },
      },
    },
  ],
  "a refusal": [chunk({ refusal: "I can" }), chunk({ refusal: "not." }), chunk({}, "stop")],
  "a refusal that is cut off": [chunk({ refusal: "I can" }), chunk({}, "length")],
  "a refusal of nothing": [chunk({ content: "a", refusal: "" }), chunk({}, "stop")],
  "Ollama's call": [
    chunk({ role: "assistant", content: "", tool_calls: [call({ id: "call_x7" })] }),
    chunk({ role: "assistant", content: "" }, "tool_calls"),
    { choices: [], usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } },
  ],
  "vLLM's call in pieces": [
    calling(call({ id: "chatcmpl-tool-1" }, "f", "")),
    calling({ index: 0, function: { arguments: '{"a"' } }),
    calling({ index: 0, function: { arguments: ": 1}" } }),
    chunk({ content: "" }, "tool_calls", { usage: null }),
    { choices: [], usage: { prompt_tokens: 5, completion_tokens: 3, prompt_tokens_details: null } },
  ],
  "LM Studio's, with numbers for ids": [calling(call({ id: "365174485" })), chunk({}, "tool_calls")],
  "DeepSeek's thoughts": [
    chunk({ reasoning_content: "Hm.", content: null }),
    chunk({ content: "Yes" }),
    chunk({ content: "" }, "stop", {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 20,
        prompt_cache_hit_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 18 },
      },
    }),
  ],
  "several calls": called(
    call(),
    call({ index: 1, id: "call_2" }, "g", "{}"),
    call({ index: 2, id: "c3" }, "f", ""),
  ),
  "Gemini's signature": signed({ google: { thought_signature: "c2ln" } }),
  "an empty signature": signed({ google: { thought_signature: "" } }),
  "no signature": signed({ google: { thought_signature: null } }),
  "something else of Google": signed({ google: { other: 1 } }),
  "nothing of Google": signed({ google: null }),
  "something of others": signed({ other: [1] }),
  "nothing extra": signed(null),
  "the old way of calls": said("function_call"),
  "a filter": said("content_filter"),
  "a reason of its own": said("eos"),
  "an empty reason": said(""),
  "no usage": said("stop"),
  "a usage of nothing": said("stop", {}),
  "a usage with nothing in it": said("stop", {
    prompt_tokens: null,
    completion_tokens: null,
    total_tokens: null,
    prompt_tokens_details: null,
    completion_tokens_details: null,
  }),
  "a usage with details of nothing": said("stop", {
    prompt_tokens: 3,
    prompt_tokens_details: { cached_tokens: null },
    completion_tokens_details: { reasoning_tokens: null },
  }),
  "more thought than said": said("stop", {
    prompt_tokens: 3,
    completion_tokens: 2,
    completion_tokens_details: { reasoning_tokens: 5 },
  }),
  "halves and less than nothing": said("stop", { prompt_tokens: 1.5, completion_tokens: -2 }),
};

it.each(Object.keys(TAKEN))("reads %s as the SDK does", async (name) => {
  const end = endOf(...(TAKEN[name] ?? []));
  expect(readEnd(end)).toEqual(await bySdk(end));
});

it.each([
  ["no id", call({ id: undefined })],
  ["an id of nothing", call({ id: "" })],
])("gives a call an id where it has %s, as the SDK does", async (_, piece) => {
  const end = endOf(...called(piece, { ...piece, index: 1 }));
  const made = readEnd(end).calls;
  const id = expect.stringMatching(/^[a-z\d]{16}$/i) as string;
  expect((await bySdk(end)).calls).toEqual(made.map((each) => ({ ...each, toolCallId: id })));
  for (const { toolCallId } of made) expect(toolCallId).toMatch(/^[a-z\d]{16}$/);
  expect(new Set(made.map(({ toolCallId }) => toolCallId)).size).toBe(2);
});

const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  "a call without a name": called(call({ function: { arguments: "{}" } })),
  "a reason that is a number": said(1),
  "a reason that is a list": said(["stop"]),
  "a usage that is a word": said("stop", "much"),
  "a usage that is a list": said("stop", [1]),
  "a usage that is nothing but true": said("stop", true),
  "tokens in words": said("stop", { prompt_tokens: "3" }),
  "tokens without end": said("stop", JSON.parse('{"completion_tokens":1e999}')),
  "a sum in words": said("stop", { total_tokens: "3" }),
  "details in a list": said("stop", { prompt_tokens_details: [] }),
  "details in words": said("stop", { completion_tokens_details: "none" }),
  "cached tokens in words": said("stop", { prompt_tokens_details: { cached_tokens: "1" } }),
  "thought tokens in words": said("stop", { completion_tokens_details: { reasoning_tokens: "1" } }),
  "predictions in words": said("stop", { completion_tokens_details: { accepted_prediction_tokens: "1" } }),
  "rejected predictions in words": said("stop", {
    completion_tokens_details: { rejected_prediction_tokens: {} },
  }),
  "a signature that is a number": signed({ google: { thought_signature: 1 } }),
  "a word for Google": signed({ google: "sig" }),
  "a list for Google": signed({ google: [] }),
  "a word beside a call": signed("sig"),
  "a list beside a call": signed([]),
};

it.each(Object.keys(REFUSED))("refuses %s as the SDK does", async (name) => {
  const end = endOf(...(REFUSED[name] ?? []));
  const fault = (error: unknown) => {
    const { kind, message } = toFault(error, []);
    return { kind, message };
  };
  const theirs = await bySdk(end).then(() => undefined, fault);
  expect(theirs).toMatchObject({ kind: "invalid" });
  let ours: unknown;
  try {
    readEnd(end);
  } catch (error) {
    ours = fault(error);
  }
  expect(ours).toEqual(theirs);
});
