import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergedEvents } from "../../src/models/ai-sdk/merge-events.ts";
import { mergeChat, mergeGemini, mergeMessages, mergeResponses } from "../../src/models/ai-sdk/merges.ts";

const sse = (...values: unknown[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
const dataOf = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as unknown);

const chat = (delta: unknown, more: object = {}, top: object = {}) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
  ...top,
});
const block = (index: number, delta: unknown) => ({ type: "content_block_delta", index, delta });
const item = (type: string, delta: unknown, more: object = {}) => ({
  type,
  item_id: "i",
  output_index: 0,
  delta,
  ...more,
});
const said = (part: unknown, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [part] }, ...more }],
});

describe("neighbours that become one", () => {
  it.each([
    ["chat text", mergeChat, [chat({ content: "a" }), chat({ content: "b" })], chat({ content: "ab" })],
    [
      "chat reasoning",
      mergeChat,
      [chat({ reasoning_content: "a" }), chat({ reasoning_content: "b" })],
      chat({ reasoning_content: "ab" }),
    ],
    [
      "chat with nulls",
      mergeChat,
      [chat({ content: "a", refusal: null }), chat({ content: "b" })],
      chat({ content: "ab", refusal: null }),
    ],
    [
      "a text block",
      mergeMessages,
      [block(1, { type: "text_delta", text: "a" }), block(1, { type: "text_delta", text: "b" })],
      block(1, { type: "text_delta", text: "ab" }),
    ],
    [
      "arguments",
      mergeMessages,
      [
        block(0, { type: "input_json_delta", partial_json: "{" }),
        block(0, { type: "input_json_delta", partial_json: "}" }),
      ],
      block(0, { type: "input_json_delta", partial_json: "{}" }),
    ],
    [
      "an output text",
      mergeResponses,
      [item("response.output_text.delta", "a"), item("response.output_text.delta", "b")],
      item("response.output_text.delta", "ab"),
    ],
    [
      "a part",
      mergeGemini,
      [said({ text: "a", thought: true }), said({ text: "b", thought: true })],
      said({ text: "ab", thought: true }),
    ],
  ])("%s", (_, merge, events, one) => {
    expect(dataOf(mergedEvents(sse(...events), merge))).toEqual([one]);
  });
});

describe("a burst of words", () => {
  it("says just what its words say, whatever is in them", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 12 }), { minLength: 2 }), (words) => {
        const events = words.map((word) => chat({ content: word }));
        expect(dataOf(mergedEvents(sse(...events), mergeChat))).toEqual([chat({ content: words.join("") })]);
      }),
    );
  });

  it("keeps what only looks like a word apart", () => {
    const broken = `data: {"id":"c","choices":[{"index":0,"delta":{"content":"a" "b"},"finish_reason":null}]}\n\n`;
    const text = `${sse(chat({ content: "a" }))}${broken}`;
    expect(mergedEvents(text, mergeChat)).toBe(text);
  });
});

describe("neighbours that stay apart", () => {
  it.each([
    ["text and reasoning", mergeChat, [chat({ content: "a" }), chat({ reasoning_content: "b" })]],
    ["the first with a role", mergeChat, [chat({ role: "assistant", content: "" }), chat({ content: "b" })]],
    ["an end", mergeChat, [chat({ content: "a" }), chat({ content: "b" }, { finish_reason: "stop" })]],
    ["another answer", mergeChat, [chat({ content: "a" }), chat({ content: "b" }, { index: 1 })]],
    [
      "usage",
      mergeChat,
      [chat({ content: "a" }), chat({ content: "b" }, {}, { usage: { total_tokens: 1 } })],
    ],
    ["calls", mergeChat, [chat({ tool_calls: [{ index: 0 }] }), chat({ tool_calls: [{ index: 0 }] })]],
    ["an error", mergeChat, [chat({ content: "a" }), { error: { message: "x" } }]],
    [
      "two blocks",
      mergeMessages,
      [block(0, { type: "text_delta", text: "a" }), block(1, { type: "text_delta", text: "b" })],
    ],
    [
      "signatures",
      mergeMessages,
      [
        block(0, { type: "signature_delta", signature: "a" }),
        block(0, { type: "signature_delta", signature: "b" }),
      ],
    ],
    [
      "two items",
      mergeResponses,
      [item("response.output_text.delta", "a"), item("response.output_text.delta", "b", { item_id: "j" })],
    ],
    [
      "a delta and its end",
      mergeResponses,
      [item("response.output_text.delta", "a"), item("response.output_text.done", "a")],
    ],
    [
      "probabilities",
      mergeResponses,
      [item("response.output_text.delta", "a", { logprobs: [{}] }), item("response.output_text.delta", "b")],
    ],
    ["thought and said", mergeGemini, [said({ text: "a", thought: true }), said({ text: "b" })]],
    ["a signature", mergeGemini, [said({ text: "a" }), said({ text: "b", thoughtSignature: "s" })]],
    ["what is none of it", mergeGemini, [{ candidates: 5 }, { candidates: [] }]],
  ])("%s", (_, merge, events) => {
    const text = sse(...events);
    expect(mergedEvents(text, merge)).toBe(text);
  });

  it("broken events, comments, other line ends and what is not whole, exactly as they came", () => {
    const odd = `: ping\n\ndata: {no json\n\nretry: 5\n\ndata: [DONE]\n\n${sse(chat({ content: "a" }))}data: {"half`;
    expect(mergedEvents(odd, mergeChat)).toBe(odd);
    const carriage = sse(chat({ content: "a" }), chat({ content: "b" })).replaceAll("\n", "\r\n");
    expect(mergedEvents(carriage, mergeChat)).toBe(carriage);
  });
});
