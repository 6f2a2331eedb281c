import { type Json, isObject } from "./json.ts";
import type { Merge } from "./merge-events.ts";

/** Both have this one field and nothing else that says something, and it is text in both. */
function joined(
  before: unknown,
  next: unknown,
  field: string,
  beside: readonly string[] = [],
): Json | undefined {
  if (!isObject(before) || !isObject(next)) return undefined;
  const [first, second] = [before[field], next[field]];
  if (typeof first !== "string" || typeof second !== "string") return undefined;
  const same = (key: string): boolean => key === field || (beside.includes(key) && before[key] === next[key]);
  const said = (value: Json): readonly string[] => Object.keys(value).filter((key) => value[key] !== null);
  if (![...said(before), ...said(next)].every(same)) return undefined;
  return { ...before, [field]: first + second };
}

/** The only item of a list. */
const only = (value: unknown): Json | undefined =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : undefined;

const DELTAS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

/** Anthropic's messages: deltas of one block. */
export const mergeMessages: Merge = (before, next) => {
  if (before["type"] !== "content_block_delta" || next["type"] !== before["type"]) return undefined;
  if (before["index"] !== next["index"] || !isObject(before["delta"])) return undefined;
  const field = DELTAS[String(before["delta"]["type"])];
  const delta = field === undefined ? undefined : joined(before["delta"], next["delta"], field, ["type"]);
  return delta === undefined ? undefined : { ...next, delta };
};

const RESPONSE_DELTAS = new Set([
  "response.output_text.delta",
  "response.reasoning_summary_text.delta",
  "response.function_call_arguments.delta",
]);
const PLACE = ["item_id", "output_index", "content_index", "summary_index"];

/** OpenAI's responses: deltas of one part of one item. */
export const mergeResponses: Merge = (before, next) => {
  if (!RESPONSE_DELTAS.has(String(before["type"])) || next["type"] !== before["type"]) return undefined;
  if (PLACE.some((key) => before[key] !== next[key])) return undefined;
  const [first, second] = [before["delta"], next["delta"]];
  if (typeof first !== "string" || typeof second !== "string") return undefined;
  const probabilities = [before["logprobs"], next["logprobs"]].some(
    (list) => Array.isArray(list) && list.length > 0,
  );
  return probabilities ? undefined : { ...next, delta: first + second };
};

/** Google's generateContent: a text after another, both thought or both said. A signature belongs to its own part. */
export const mergeGemini: Merge = (before, next) => {
  const [first, second] = [only(before["candidates"]), only(next["candidates"])];
  if (first === undefined || second === undefined || first["finishReason"] != null) return undefined;
  if (second["finishReason"] != null || !isObject(first["content"]) || !isObject(second["content"]))
    return undefined;
  const part = joined(only(first["content"]["parts"]), only(second["content"]["parts"]), "text", ["thought"]);
  if (part === undefined) return undefined;
  return { ...next, candidates: [{ ...second, content: { ...second["content"], parts: [part] } }] };
};
