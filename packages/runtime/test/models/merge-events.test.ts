import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergedEvents } from "../../src/models/ai-sdk/merge-events.ts";
import { mergeGemini, mergeMessages, mergeResponses } from "../../src/models/ai-sdk/merges.ts";

const sse = (...values: unknown[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
const dataOf = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as unknown);

const block = (index: number, delta: unknown) => ({ type: "content_block_delta", index, delta });
const words = (text: string) => block(0, { type: "text_delta", text });
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
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 12 }), { minLength: 2 }), (said) => {
        const events = said.map(words);
        expect(dataOf(mergedEvents(sse(...events), mergeMessages))).toEqual([words(said.join(""))]);
      }),
    );
  });

  it("keeps what only looks like a word apart", () => {
    const broken = `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a" "b"}}\n\n`;
    const text = `${sse(words("a"))}${broken}`;
    expect(mergedEvents(text, mergeMessages)).toBe(text);
  });
});

describe("neighbours that stay apart", () => {
  it.each([
    ["text and thinking", mergeMessages, [words("a"), block(0, { type: "thinking_delta", thinking: "b" })]],
    ["an error", mergeMessages, [words("a"), { type: "error", error: { message: "x" } }]],
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
    const odd = `: ping\n\ndata: {no json\n\nretry: 5\n\ndata: [DONE]\n\n${sse(words("a"))}data: {"half`;
    expect(mergedEvents(odd, mergeMessages)).toBe(odd);
    const carriage = sse(words("a"), words("b")).replaceAll("\n", "\r\n");
    expect(mergedEvents(carriage, mergeMessages)).toBe(carriage);
  });
});
