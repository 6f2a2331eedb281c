import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, serveModel } from "../../src/models/serve/server.ts";
import { USAGE, WIRE } from "./wire-script.ts";

const SCHEMA = { type: "object" as const, properties: { path: { type: "string" } } };
const ARGUMENTS = ['{"path":"a.md"}', "{}"];

let server: ModelServer;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  server = await serveModel({ script: WIRE });
  openai = new OpenAI({ apiKey: "any", baseURL: `${server.url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: "any", baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server.close());

describe("OpenAI's own client, chat completions", () => {
  const chat = (text: string) => ({ model: "gpt-x", messages: [{ role: "user" as const, content: text }] });
  const tools: OpenAI.ChatCompletionTool[] = ["read_file", "list_files"].map((name) => ({
    type: "function",
    function: { name, parameters: SCHEMA },
  }));

  it("gets a whole answer", async () => {
    const answer = await openai.chat.completions.create(chat("plain"));
    expect(answer.model).toBe("gpt-x");
    expect(answer.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "Hello,  “Ada”.\nIt works." },
    });
    expect(answer.usage).toMatchObject({ prompt_tokens: 70, completion_tokens: 50, total_tokens: 120 });
  });

  it("gets it streamed, with usage only where it asks", async () => {
    const runner = openai.chat.completions.stream({
      ...chat("plain"),
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    runner.on("content", (delta) => pieces.push(delta));
    const answer = await runner.finalChatCompletion();
    expect(pieces).toHaveLength(4);
    expect(answer.choices[0]?.message.content).toBe("Hello,  “Ada”.\nIt works.");
    expect(answer.usage?.prompt_tokens_details?.cached_tokens).toBe(USAGE.cached_input_tokens);
    const quiet = await openai.chat.completions.stream(chat("plain")).finalChatCompletion();
    expect(quiet.usage).toBeUndefined();
  });

  it("calls tools side by side and gives their results back", async () => {
    const request = { ...chat("tools"), tools };
    const { message } =
      (await openai.chat.completions.stream(request).finalChatCompletion()).choices[0] ?? {};
    const calls = (message?.tool_calls ?? []).filter((call) => call.type === "function");
    expect(calls.map((call) => call.function.arguments)).toEqual(ARGUMENTS);
    const results = calls.map((call) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: `<${call.function.name}>`,
    }));
    const messages = [...request.messages, message as OpenAI.ChatCompletionMessageParam, ...results];
    const answer = await openai.chat.completions.create({ ...request, messages });
    expect(answer.choices[0]?.message.content).toBe("I got <read_file> and <list_files>.");
  });

  it("meets the faults", async () => {
    const limited = openai.chat.completions.create(chat("limited"));
    await expect(limited).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    const { headers } = (await limited.catch((error: unknown) => error)) as InstanceType<
      typeof OpenAI.APIError
    >;
    expect(headers?.get("retry-after")).toBe("2");
    await expect(openai.chat.completions.create(chat("locked"))).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
    await expect(openai.chat.completions.create(chat("overloaded"))).rejects.toMatchObject({ status: 529 });
    await expect(openai.chat.completions.create(chat("cut"))).rejects.toBeInstanceOf(
      OpenAI.APIConnectionError,
    );
    await expect(openai.chat.completions.stream(chat("cut")).finalChatCompletion()).rejects.toThrow(/./);
    await expect(openai.chat.completions.stream(chat("midway")).finalChatCompletion()).rejects.toThrow(
      "It broke.",
    );
  });

  it("tries again by itself until the fault has passed", async () => {
    const own = await serveModel({ script: WIRE });
    const patient = new OpenAI({ apiKey: "any", baseURL: `${own.url}/v1`, maxRetries: 2 });
    const answer = await patient.chat.completions.create(chat("at first"));
    expect(answer.choices[0]?.message.content).toBe("Now.");
    await own.close();
  });

  it("lists the model", async () => {
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(["scripted"]);
  });
});

describe("OpenAI's own client, responses", () => {
  const tools: OpenAI.Responses.Tool[] = ["read_file", "list_files"].map((name) => ({
    type: "function",
    name,
    parameters: SCHEMA,
    strict: false,
  }));

  it("gets an answer, whole and streamed", async () => {
    const whole = await openai.responses.create({ model: "gpt-x", input: "think" });
    expect(whole.output_text).toBe("Seen.");
    expect(whole.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    const runner = openai.responses.stream({ model: "gpt-x", input: "think" });
    const numbers: number[] = [];
    for await (const event of runner) numbers.push(event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const final = await runner.finalResponse();
    expect(final.output_text).toBe("Seen.");
    expect(final.usage).toMatchObject({ input_tokens: 70, output_tokens_details: { reasoning_tokens: 20 } });
  });

  it("calls tools side by side and gives their results back", async () => {
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "tools" }];
    const first = await openai.responses.stream({ model: "gpt-x", input, tools }).finalResponse();
    const calls = first.output.filter((item) => item.type === "function_call");
    expect(calls.map((call) => call.arguments)).toEqual(ARGUMENTS);
    const second = await openai.responses.create({
      model: "gpt-x",
      tools,
      input: [
        ...input,
        ...(first.output as OpenAI.Responses.ResponseInputItem[]),
        ...calls.map((call) => ({
          type: "function_call_output" as const,
          call_id: call.call_id,
          output: `<${call.name}>`,
        })),
      ],
    });
    expect(second.output_text).toBe("I got <read_file> and <list_files>.");
  });

  it("meets the faults", async () => {
    const ask = (input: string) => openai.responses.create({ model: "gpt-x", input });
    await expect(ask("broken")).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(await ask("long")).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });
});

describe("Anthropic's own client", () => {
  const ask = (text: string): Anthropic.MessageCreateParamsNonStreaming => ({
    model: "claude-x",
    max_tokens: 1_000,
    messages: [{ role: "user", content: text }],
  });
  const tools: Anthropic.Tool[] = ["read_file", "list_files"].map((name) => ({ name, input_schema: SCHEMA }));

  it("gets an answer, whole and streamed", async () => {
    const whole = await anthropic.messages.create(ask("think"));
    expect(whole.content).toMatchObject([
      { type: "thinking", thinking: "Let me see." },
      { type: "text", text: "Seen." },
    ]);
    expect(whole.usage).toMatchObject({ input_tokens: 40, cache_read_input_tokens: 30, output_tokens: 50 });
    const runner = anthropic.messages.stream(ask("think"));
    const pieces: string[] = [];
    runner.on("thinking", (delta) => pieces.push(delta));
    expect((await runner.finalMessage()).content).toEqual(whole.content);
    expect(pieces).toEqual(["Let", " me", " see."]);
  });

  it("calls tools side by side and gives their results back", async () => {
    const request = { ...ask("tools"), tools };
    const first = await anthropic.messages.stream(request).finalMessage();
    expect(first.stop_reason).toBe("tool_use");
    const calls = first.content.filter((block) => block.type === "tool_use");
    expect(calls.map((call) => call.input)).toEqual([{ path: "a.md" }, {}]);
    const second = await anthropic.messages.create({
      ...request,
      messages: [
        ...request.messages,
        { role: "assistant", content: first.content },
        {
          role: "user",
          content: calls.map((call) => ({
            type: "tool_result",
            tool_use_id: call.id,
            content: `<${call.name}>`,
          })),
        },
      ],
    });
    expect(second.content).toMatchObject([{ type: "text", text: "I got <read_file> and <list_files>." }]);
  });

  it("meets the faults", async () => {
    await expect(anthropic.messages.create(ask("limited"))).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    await expect(anthropic.messages.create(ask("overloaded"))).rejects.toMatchObject({
      status: 529,
      error: { error: { type: "overloaded_error" } },
    });
    await expect(anthropic.messages.stream(ask("cut")).finalMessage()).rejects.toThrow(/./);
    await expect(anthropic.messages.stream(ask("midway")).finalMessage()).rejects.toThrow("It broke.");
    await expect(anthropic.messages.stream(ask("half")).finalMessage()).rejects.toThrow(/./);
  });
});

describe("what is no request", () => {
  const post = (path: string, body: string) => fetch(server.url + path, { method: "POST", body });
  it.each([
    ["no JSON", "/v1/chat/completions", "{", 400],
    ["no object", "/v1/messages", "[]", 400],
    ["no messages", "/v1/chat/completions", "{}", 400],
    ["messages that are none", "/v1/messages", '{"messages":[1]}', 400],
    ["no input", "/v1/responses", "{}", 400],
    ["no contents", "/v1beta/models/x:streamGenerateContent", "{}", 400],
    ["nothing there", "/v1/embeddings", "{}", 404],
    ["a name that objects have", "/constructor", "{}", 404],
  ])("%s", async (_, path, body, status) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toHaveProperty("error.message");
  });

  it("a wrong method", async () => {
    expect((await fetch(`${server.url}/v1/messages`)).status).toBe(405);
  });
});
