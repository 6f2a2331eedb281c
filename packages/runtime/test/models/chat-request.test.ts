import { OpenAICompatibleChatLanguageModel } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { chatRequest } from "../../src/models/ai-sdk/chat-request.ts";

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
