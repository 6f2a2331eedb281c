import { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chatRequest } from "../../src/models/ai-sdk/chat-request.ts";
import { toPrompt } from "../../src/models/ai-sdk/prompt.ts";
import type { Message } from "../../src/ports/model.ts";

const model = new OpenAICompatibleChatLanguageModel("m", {
  provider: "compatible.chat",
  url: () => "http://127.0.0.1/",
  headers: () => ({}),
});

const prompt: LanguageModelV4CallOptions["prompt"] = [
  { role: "system", content: "Be “brief”." },
  { role: "user", content: [{ type: "text", text: "Hello" }] },
];
const tool = (name: string, description?: string) =>
  ({
    type: "function",
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: { type: "object", properties: { a: { type: "string", description: 'a "b"\n' } } },
  }) as const;
const [first, second] = [tool("f", "Does f."), tool("g")];

it.each<[string, LanguageModelV4CallOptions]>([
  ["no tools", { prompt }],
  ["a list of none", { prompt, tools: [] }],
  ["one tool", { prompt, tools: [first] }],
  ["another beside it", { prompt, tools: [second, first] }],
  ["the same once more", { prompt, tools: [first, second], maxOutputTokens: 7, reasoning: "low" }],
])("says what the SDK would say, with %s", async (_, options) => {
  const { body } = await model.prepareRequest(options);
  const whole = { ...body, stream: true, stream_options: { include_usage: true } };
  expect(JSON.parse(await chatRequest(model, options))).toEqual(JSON.parse(JSON.stringify(whole)));
});

const text = fc.constantFrom("", "a", "“b”\n", "c".repeat(50));
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((said): Message => ({ role: "system", text: said })),
  text.map((said): Message => ({ role: "user", text: said })),
  fc.tuple(text, fc.nat(2), fc.constantFrom("one", "two", undefined)).map(([said, calls, by]): Message => ({
    role: "assistant",
    text: said,
    ...(by === undefined ? {} : { by, provider_data: { blocks: [{ type: "text", chars: said.length }] } }),
    ...(calls === 0
      ? {}
      : {
          tool_calls: Array.from({ length: calls }, (_, i) => ({
            tool_call_id: `call_${i}`,
            name: "f",
            arguments: i === 0 ? '{"a":1}' : "{broken",
          })),
        }),
  })),
  fc.tuple(text, fc.boolean()).map(([said, failed]): Message => ({
    role: "tool",
    tool_call_id: "call_0",
    name: "f",
    text: said,
    failed,
  })),
);
/** Where a conversation goes: on, or with something in its middle left out, changed or asked of another model. */
const step = fc.record({
  more: fc.array(message, { maxLength: 3 }),
  without: fc.option(fc.nat(8)),
  copied: fc.option(fc.nat(8)),
  name: fc.constantFrom("one", "two"),
});

it("says of a conversation that goes on, is edited or changes its model what it says of one that is new", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      let messages: Message[] = [{ role: "user", text: "Begin." }];
      for (const { more, without, copied, name } of steps) {
        messages = [...messages.filter((_, i) => i !== without), ...more].map((one, i) =>
          i === copied ? { ...one, text: `${one.text}!` } : one,
        );
        const asked = toPrompt(messages, name);
        const anew = toPrompt(structuredClone(messages), name);
        expect(asked).toEqual(anew);
        const { body } = await model.prepareRequest({ prompt: anew });
        const whole = { ...body, stream: true, stream_options: { include_usage: true } };
        expect(JSON.parse(await chatRequest(model, { prompt: asked }))).toEqual(
          JSON.parse(JSON.stringify(whole)),
        );
      }
    }),
    { numRuns: 60 },
  );
});
