import { z } from "zod";
import { count, fact, signal, text } from "./fields.ts";

export const STEP_EVENTS = {
  "agent.step.progress": signal({
    tier: "default",
    faces: { frontend: "step_progress", runtime: null },
    doc: "Where a piece of background work stands.",
    fields: {
      step_id: text,
      status: text,
      title: text.optional(),
      index: count.optional(),
      total: count.optional(),
    },
  }),
  "agent.usage": signal({
    tier: "debug",
    faces: { frontend: "usage", runtime: null },
    doc: "Tokens that one model call cost, and money where the price is known.",
    fields: {
      input_tokens: count,
      output_tokens: count,
      total_tokens: count,
      cost_usd: z.number().min(0).optional(),
      provider: text.optional(),
      model: text.optional(),
      cached_input_tokens: count.optional(),
      /** Of the input, what was written into the provider's cache, where that has a price of its own. */
      cache_write_tokens: count.optional(),
      reasoning_tokens: count.optional(),
      /** What the model takes, where that is known: `input_tokens` of it were full. */
      context_tokens: count.optional(),
      /** All that this sub-agent used, counted here when it ended; its own session has it call by call. */
      subagent: text.optional(),
      /** Nobody said what the call used: what was put aside for it, or nothing where it was refused. */
      estimated: z.literal(true).optional(),
      step: count.optional(),
      attempt: count.optional(),
    },
  }),
  "runtime.context.injected": fact({
    tier: "debug",
    faces: { frontend: null, runtime: null },
    doc: "A supervisor, or a look at the workspace, gave the agent something to know, which its model is told with the next step.",
    fields: { turn_id: text, source: text, subject: text, text },
  }),
  "agent.context.warning": signal({
    tier: "default",
    faces: { frontend: "context_warning", runtime: null },
    doc: "The context is filling up.",
    fields: {
      message: text,
      used_tokens: count.optional(),
      limit_tokens: count.optional(),
      usage_percent: z.number().min(0).optional(),
      /** How the tokens were counted: the name of an encoding, or `estimate`. */
      method: text.optional(),
    },
  }),
  "agent.context.compacted": signal({
    tier: "default",
    faces: { frontend: "context_compacted", runtime: null },
    doc: "Older messages were folded into a summary. The log keeps them whole.",
    fields: {
      original_count: count,
      compacted_count: count,
      tokens_saved: count,
      summary: text,
      preserved_messages: count,
      resume_cursor: text.nullable(),
      /**
       * What is no longer told to the model, and the event that the last of it came with; the log still has it, and a
       * branch from the cursor brings it back. Without the event where the log was trimmed.
       */
      dropped: z.looseObject({ messages: count, upto_seq: count.optional() }).optional(),
    },
  }),
};
