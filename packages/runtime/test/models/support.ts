import type { Message, Model, ModelPart, ModelRequest } from "../../src/ports/model.ts";
import type { ToolSpec } from "../../src/ports/tool.ts";

export const TOOLS: readonly ToolSpec[] = [
  "read_file",
  "write_file",
  "edit_file",
  "list_files",
  "local_search",
  "shell",
  "web_fetch",
  "update_tasks",
].map((name) => ({ name, description: name, parameters: { type: "object" } }));

export async function ask(
  model: Model,
  request: ModelRequest,
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, signal)) parts.push(part);
  return parts;
}

export const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

export const thinkingOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "thinking" ? part.text : "")).join("");

export type Call = Extract<ModelPart, { type: "tool_call" }>;

export const callsIn = (parts: readonly ModelPart[]): Call[] =>
  parts.filter((part) => part.type === "tool_call");

export interface Result {
  readonly text: string;
  readonly failed: boolean;
}

/** A whole turn: the model is asked until it asks for no more tools. */
export async function conversation(
  model: Model,
  prompt: string,
  run: (call: Call) => Result | Promise<Result>,
  before: readonly Message[] = [],
): Promise<{ readonly rounds: readonly ModelPart[][]; readonly messages: readonly Message[] }> {
  const messages: Message[] = [...before, { role: "user", text: prompt }];
  const rounds: ModelPart[][] = [];
  while (rounds.length < 20) {
    const parts = await ask(model, { messages, tools: TOOLS });
    rounds.push(parts);
    messages.push(saidIn(model, parts));
    const calls = callsIn(parts);
    if (calls.length === 0) break;
    for (const call of calls)
      messages.push({ role: "tool", tool_call_id: call.tool_call_id, name: call.name, ...(await run(call)) });
  }
  return { rounds, messages };
}

/** An answer as it goes back with the next request. */
export function saidIn(model: Model, parts: readonly ModelPart[]): Message {
  const calls = callsIn(parts).map(({ type: _, ...call }) => call);
  const data = parts.find((part) => part.type === "provider_data")?.data;
  return {
    role: "assistant",
    text: textOf(parts),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(data === undefined ? {} : { provider_data: data }),
    by: `${model.provider}/${model.id}`,
  };
}
