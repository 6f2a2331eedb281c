import { z } from "zod";
import { count, json, signal, text } from "./fields.ts";

/** A call as the model asked for it, before anything looked at it. `arguments` is its text, which may be no JSON. */
export const RequestedCall = z.strictObject({ tool_call_id: text, name: text, arguments: text });
export type RequestedCall = z.infer<typeof RequestedCall>;

/** Why the model is asked to look back: tools failed one after the other, or it is about to end a turn that changed something. */
const REFLECTION_TRIGGERS = ["after_failures", "before_finish"] as const;
export type ReflectionTrigger = (typeof REFLECTION_TRIGGERS)[number];

export const OUTPUT_EVENTS = {
  "agent.output.delta": signal({
    tier: "default",
    faces: { frontend: "token", runtime: "agent.output.delta" },
    doc: "A piece of the assistant's text. `step` and `attempt` say which model call it belongs to.",
    fields: { text, step: count.optional(), attempt: count.optional() },
  }),
  "agent.output.completed": signal({
    tier: "default",
    faces: { frontend: "response", runtime: null },
    doc: "The whole text of one model call. Seed 003 has no name for it: there the deltas and the request's output say the same.",
    fields: {
      text,
      step: count.optional(),
      attempt: count.optional(),
      /** What the model asked to be done before it goes on. */
      tool_calls: z.array(RequestedCall).optional(),
      finish_reason: text.optional(),
      provider: text.optional(),
      model: text.optional(),
      /** Opaque: what the provider wants back with the next call. */
      provider_data: json.optional(),
    },
  }),
  "agent.output.superseded": signal({
    tier: "default",
    faces: { frontend: "output_superseded", runtime: "agent.output.superseded" },
    doc: "A model call was cut off and is made again: drop the text shown for this step and attempt. Neither seed has a name for it; both names are additions.",
    fields: { step: count, attempt: count, reason: text },
  }),
  "agent.thinking.delta": signal({
    tier: "default",
    faces: { frontend: "thinking", runtime: null },
    doc: "A piece of the reasoning that the model chose to show. Nothing is invented beyond it.",
    fields: { text, step: count.optional(), attempt: count.optional() },
  }),
  "agent.reflection": signal({
    tier: "default",
    faces: { frontend: "reflection", runtime: null },
    doc: "The model looked back at its own work, in a call of its own: `text` is exactly what it said. `trigger` says why it was asked. With `tool_calls` the turn goes on with these; before the end without any, the answer that was there stands.",
    fields: {
      text,
      trigger: z.enum(REFLECTION_TRIGGERS).optional(),
      step: count.optional(),
      attempt: count.optional(),
      tool_calls: z.array(RequestedCall).optional(),
      finish_reason: text.optional(),
      provider: text.optional(),
      model: text.optional(),
      /** Opaque: what the provider wants back with the next call. */
      provider_data: json.optional(),
    },
  }),
};
