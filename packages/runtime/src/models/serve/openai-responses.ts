import type { FinishReason, Message } from "../../ports/model.ts";
import { asText, assistant, contentText, type Json, listOf, resultOf, toolSpec } from "./decode.ts";
import {
  type Asked,
  type Dialect,
  type Encoder,
  EVENTS,
  garbageFrame,
  halves,
  namedFrame,
  wholeEncoder,
} from "./dialect.ts";
import { typeOf } from "./openai-chat.ts";
import { callItem, messageItem, reasoningItem, responseOf } from "./responses-items.ts";

/** OpenAI's responses. */
export const openaiResponses: Dialect = {
  decode(body) {
    const messages: Message[] = [];
    const instructions = asText(body["instructions"]);
    if (instructions !== "") messages.push({ role: "system", text: instructions });
    const { input } = body;
    if (typeof input === "string") messages.push({ role: "user", text: input });
    else for (const item of listOf(input, "input")) addItem(item, messages);
    const tools = Array.isArray(body["tools"]) ? listOf(body["tools"], "tools") : [];
    return {
      request: {
        messages,
        tools: tools.map(({ name, description, parameters }) => toolSpec(name, description, parameters)),
      },
      model: asText(body["model"]),
      stream: body["stream"] === true,
      usage: true,
    };
  },
  encode: (asked) => (asked.stream ? streamed(asked) : whole(asked)),
  error: (status, message) => ({
    error: { message, type: typeOf(status), param: null, code: typeOf(status) },
  }),
};

/** What one answer said comes back as several items, one after the other. */
function addItem(item: Json, messages: Message[]): void {
  const last = messages.at(-1);
  const said = last?.role === "assistant" ? last : undefined;
  if (item["type"] === "function_call") {
    const { call_id, name, arguments: args } = item;
    const call = { tool_call_id: asText(call_id), name: asText(name), arguments: asText(args) };
    if (said === undefined) messages.push(assistant("", [call]));
    else messages[messages.length - 1] = assistant(said.text, [...(said.tool_calls ?? []), call]);
  } else if (item["type"] === "function_call_output") {
    const text = contentText(item["output"]);
    messages.push(resultOf(messages, asText(item["call_id"]), text, /^(error|denied|failed)\b/i.test(text)));
  } else if (item["role"] === "assistant") {
    const text = contentText(item["content"]);
    if (said === undefined) messages.push(assistant(text, []));
    else messages[messages.length - 1] = assistant(said.text + text, said.tool_calls ?? []);
  } else if (item["role"] === "system" || item["role"] === "developer")
    messages.push({ role: "system", text: contentText(item["content"]) });
  else if (item["role"] === "user") messages.push({ role: "user", text: contentText(item["content"]) });
}

function streamed({ model }: Asked): Encoder {
  const output: unknown[] = [];
  let sequence = -1;
  let open: { readonly kind: "text" | "thinking"; text: string } | undefined;
  const frame = (type: string, fields: object): string =>
    namedFrame(type, { type, sequence_number: (sequence += 1), ...fields });
  const place = (extra?: object) => ({ output_index: output.length, ...extra });
  const added = (item: unknown): string => frame("response.output_item.added", place({ item }));

  function done(item: unknown): string {
    const text = frame("response.output_item.done", place({ item }));
    output.push(item);
    return text;
  }
  function enter(kind: "text" | "thinking"): string {
    if (open?.kind === kind) return "";
    const closed = close();
    open = { kind, text: "" };
    const at = output.length;
    if (kind === "thinking")
      return (
        closed +
        added(reasoningItem(at, undefined)) +
        frame("response.reasoning_summary_part.added", {
          ...place({ item_id: `rs_${at}`, summary_index: 0 }),
          part: { type: "summary_text", text: "" },
        })
      );
    return (
      closed +
      added(messageItem(at, undefined)) +
      frame("response.content_part.added", {
        ...place({ item_id: `msg_${at}`, content_index: 0 }),
        part: { type: "output_text", text: "", annotations: [] },
      })
    );
  }
  function close(): string {
    if (open === undefined) return "";
    const { kind, text } = open;
    const at = output.length;
    open = undefined;
    if (kind === "thinking") {
      const where = place({ item_id: `rs_${at}`, summary_index: 0 });
      return (
        frame("response.reasoning_summary_text.done", { ...where, text }) +
        frame("response.reasoning_summary_part.done", { ...where, part: { type: "summary_text", text } }) +
        done(reasoningItem(at, text))
      );
    }
    const where = place({ item_id: `msg_${at}`, content_index: 0 });
    const part = { type: "output_text", text, annotations: [] };
    return (
      frame("response.output_text.done", { ...where, text, logprobs: [] }) +
      frame("response.content_part.done", { ...where, part }) +
      done(messageItem(at, text))
    );
  }
  function words(kind: "text" | "thinking", all: readonly string[]): string {
    const entered = enter(kind);
    if (open !== undefined) open.text += all.join("");
    const at = output.length;
    const type = kind === "text" ? "response.output_text.delta" : "response.reasoning_summary_text.delta";
    const where =
      kind === "text"
        ? { item_id: `msg_${at}`, content_index: 0, logprobs: [] }
        : { item_id: `rs_${at}`, summary_index: 0 };
    return entered + all.map((delta) => frame(type, { ...place(where), delta })).join("");
  }

  return {
    contentType: EVENTS,
    start: () =>
      frame("response.created", { response: responseOf({ model, status: "in_progress", output: [] }) }) +
      frame("response.in_progress", { response: responseOf({ model, status: "in_progress", output: [] }) }),
    text: (all) => words("text", all),
    thinking: (all) => words("thinking", all),
    call(call, half) {
      const closed = close();
      const at = output.length;
      const where = place({ item_id: `fc_${at}` });
      const pieces = halves(call.arguments).slice(0, half ? 1 : 2);
      const sent =
        added(callItem(at, { ...call, arguments: "" }, "in_progress")) +
        pieces.map((delta) => frame("response.function_call_arguments.delta", { ...where, delta })).join("");
      if (half) return closed + sent;
      const args = { ...where, name: call.name, arguments: call.arguments };
      return (
        closed +
        sent +
        frame("response.function_call_arguments.done", args) +
        done(callItem(at, call, "completed"))
      );
    },
    garbage: garbageFrame,
    fault: ({ message, status = 500 }) => frame("error", { code: typeOf(status), message, param: null }),
    end(reason, usage) {
      const closed = close();
      const response = responseOf({ model, status: statusOf(reason), reason, output, usage });
      return closed + frame(`response.${statusOf(reason)}`, { response });
    },
  };
}

function whole({ model }: Asked): Encoder {
  return wholeEncoder(({ text, thinking, calls }, reason, usage) => {
    const output: unknown[] = [];
    if (thinking !== "") output.push(reasoningItem(output.length, thinking));
    if (text !== "") output.push(messageItem(output.length, text));
    for (const call of calls) output.push(callItem(output.length, call, "completed"));
    return responseOf({ model, status: statusOf(reason), reason, output, usage });
  });
}

function statusOf(reason: FinishReason): "completed" | "incomplete" {
  return reason === "length" || reason === "filter" ? "incomplete" : "completed";
}
