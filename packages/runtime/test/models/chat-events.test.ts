import fc from "fast-check";
import { expect, it } from "vitest";
import { createChatEvents } from "../../src/models/ai-sdk/chat-events.ts";

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chat = (delta: object, more: object = {}) => ({ id: "1", choices: [{ index: 0, delta, ...more }] });

function read(text: string): unknown[] {
  const events = createChatEvents();
  return [...events.take(Buffer.from(text)), ...events.end()];
}

it.each([
  ["words", chat({ content: "a" }), chat({ content: "b" }), chat({ content: "ab" })],
  ["thoughts", chat({ reasoning: "a" }), chat({ reasoning: "b" }), chat({ reasoning: "ab" })],
  [
    "words with a role each",
    chat({ role: "assistant", content: "a", tool_calls: null }),
    chat({ role: "assistant", content: "\n", tool_calls: null }),
    chat({ role: "assistant", content: "a\n", tool_calls: null }),
  ],
])("makes %s that come together one", (_, first, second, both) => {
  expect(read(event(first) + event(second))).toEqual([both]);
});

it.each([
  ["words and thoughts", chat({ content: "a" }), chat({ reasoning: "a" })],
  ["words of different answers", chat({ content: "a" }), { ...chat({ content: "a" }), id: "2" }],
  ["both at once", chat({ content: "a", reasoning: "a" }), chat({ content: "a", reasoning: "a" })],
  ["a word and an end", chat({ content: "a" }), chat({ content: "b" }, { finish_reason: "stop" })],
  ["a word and usage", chat({ content: "a" }), { ...chat({ content: "b" }), usage: { total_tokens: 1 } }],
  ["a word and an error", chat({ content: "a" }), { error: { message: "x" } }],
  ["calls", chat({ content: "a", tool_calls: [{}] }), chat({ content: "b", tool_calls: [{}] })],
  ["a name that is there twice", chat({ content: "a" }, { x: { content: "a" } }), chat({ content: "b" })],
  [
    "the same name elsewhere",
    chat({ content: "a" }, { x: "content" }),
    chat({ content: "b" }, { x: "content" }),
  ],
  ["parts", chat({ content: [{ text: "a" }] }), chat({ content: [{ text: "b" }] })],
])("leaves %s as they are", (_, first, second) => {
  expect(read(event(first) + event(second))).toEqual([first, second]);
});

it("leaves alone what is named twice in one place", () => {
  const twice = 'data: {"choices":[{"delta":{"content":"a","content":"a"}}]}\n\n';
  expect(read(twice + twice)).toHaveLength(2);
});

const raw = (text: string): string => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;

it.each(['"', "\\", "\\x", "\t"])("throws where a word breaks its event: %j", (word) => {
  expect(() => read(raw("a") + raw(word))).toThrow("JSON parsing failed");
});

it("takes no fields for a word", () => {
  const last = (read(raw("a") + raw('","role":"x')) as ReturnType<typeof chat>[]).at(-1);
  expect(last?.choices[0]?.delta).toEqual({ content: "", role: "x" });
});

it("says just what its words say, whatever is in them and however they are cut", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", "\n\n", "content", '"content"', " "),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.nat({ max: 40 }), (words, size) => {
      const bytes = Buffer.from(words.map((content) => event(chat({ content }))).join(""));
      const events = createChatEvents();
      const chunks: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size + 1)
        chunks.push(...events.take(bytes.subarray(at, at + size + 1)));
      chunks.push(...events.end());
      const said = chunks.map(
        (chunk) => (chunk as ReturnType<typeof chat>).choices[0]?.delta as { content: string },
      );
      expect(said.map(({ content }) => content).join("")).toBe(Buffer.from(words.join("")).toString());
    }),
  );
});
