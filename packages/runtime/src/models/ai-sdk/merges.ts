import type { Merge } from "./merge-events.ts";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Both have this one field and nothing else that says something, and it is text in both. */
function joined(
  before: unknown,
  next: unknown,
  field: string,
  beside: readonly string[] = [],
  /** What only the first may have. */
  ahead: readonly string[] = [],
): Json | undefined {
  if (!isObject(before) || !isObject(next)) return undefined;
  const [first, second] = [before[field], next[field]];
  if (typeof first !== "string" || typeof second !== "string") return undefined;
  const same = (key: string): boolean => key === field || (beside.includes(key) && before[key] === next[key]);
  if (!saidIn(before).every((key) => same(key) || ahead.includes(key)) || !saidIn(next).every(same))
    return undefined;
  return { ...before, [field]: first + second };
}

/** The only item of a list. */
const only = (value: unknown): Json | undefined =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0] : undefined;

/**
 * Chat completions: more of the same text, or of the same calls. The end and the usage that follow are joined to it too, so
 * that an answer that arrives at once is one event.
 */
export const mergeChat: Merge = (before, next) => {
  const first = only(before["choices"]);
  if (first === undefined || before["usage"] != null) return undefined;
  if (Array.isArray(next["choices"]) && next["choices"].length === 0 && isObject(next["usage"]))
    return { ...next, choices: before["choices"] };
  const second = only(next["choices"]);
  if (second === undefined || first["index"] !== second["index"] || first["finish_reason"] != null)
    return undefined;
  const delta = chatDelta(first["delta"], second["delta"]);
  return delta === undefined ? undefined : { ...next, choices: [{ ...second, delta }] };
};

const TEXTS = ["content", "reasoning_content", "reasoning"];

function chatDelta(before: unknown, next: unknown): Json | undefined {
  if (!isObject(before) || !isObject(next)) return undefined;
  const said = saidIn(next);
  if (said.length === 0) return before;
  // Who speaks is said once, with the first words.
  if (said.length > 1 || saidIn(before).some((key) => key !== said[0] && !isSaidFirst(key, before)))
    return undefined;
  const [field = ""] = said;
  if (TEXTS.includes(field)) {
    const [first = "", second] = [before[field] ?? "", next[field]];
    return typeof first === "string" && typeof second === "string"
      ? { ...before, [field]: first + second }
      : undefined;
  }
  if (field !== "tool_calls") return undefined;
  const calls = joinedCalls(before["tool_calls"], next["tool_calls"]);
  return calls === undefined ? undefined : { ...before, tool_calls: calls };
}

function saidIn(delta: Json): readonly string[] {
  return Object.keys(delta).filter((key) => delta[key] !== null);
}

/** What does not come between: a role, or a text of nothing. */
function isSaidFirst(key: string, delta: Json): boolean {
  return key === "role" || delta[key] === "";
}

/** Arguments go to the call they belong to, if that is the last; a new call comes after it. */
function joinedCalls(before: unknown, next: unknown): readonly unknown[] | undefined {
  const one = only(next);
  const calls = before ?? [];
  if (one === undefined || !Array.isArray(calls)) return undefined;
  const last: unknown = calls.at(-1);
  if (!isObject(last) || last["index"] !== one["index"]) {
    return calls.some((call) => isObject(call) && call["index"] === one["index"])
      ? undefined
      : [...calls, one];
  }
  const made = joined(last["function"], one["function"], "arguments", [], ["name"]);
  return made === undefined || saidIn(one).some((key) => key !== "index" && key !== "function")
    ? undefined
    : [...calls.slice(0, -1), { ...last, function: made }];
}

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
