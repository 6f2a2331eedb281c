import type { RequestedCall } from "@fairlead/contract";
import type { Message } from "../../ports/model.ts";
import type { ToolSpec } from "../../ports/tool.ts";

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** A list that must be there. */
export function listOf(value: unknown, name: string): readonly Json[] {
  if (!Array.isArray(value) || !value.every(isJson))
    throw new TypeError(`${name} must be a list of objects.`);
  return value;
}

/** Content is a text or a list of parts; what is no text is left out. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part) => (isJson(part) ? asText(part["text"]) : "")).join("");
}

export function toolSpec(name: unknown, description: unknown, parameters: unknown): ToolSpec {
  return {
    name: asText(name),
    description: asText(description),
    parameters: (isJson(parameters) ? parameters : {}) as ToolSpec["parameters"],
  };
}

export function assistant(text: string, calls: readonly RequestedCall[]): Message {
  return { role: "assistant", text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** A result names its call; the name of the tool is where the call was made, most often just before. */
export function resultOf(messages: readonly Message[], id: string, text: string, failed: boolean): Message {
  return { role: "tool", tool_call_id: id, name: calledIn(messages, id) ?? "", text, failed };
}

function calledIn(messages: readonly Message[], id: string): string | undefined {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    const call =
      message?.role === "assistant"
        ? message.tool_calls?.findLast(({ tool_call_id }) => tool_call_id === id)
        : undefined;
    if (call !== undefined) return call.name;
  }
  return undefined;
}
