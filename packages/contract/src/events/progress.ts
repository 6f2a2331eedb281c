import { z } from "zod";
import { event } from "../define.ts";
import { text, texts } from "./fields.ts";

export const PROGRESS_EVENTS = {
  "runtime.progress.narration": event({
    v: 1,
    owner: "view",
    category: "view",
    tier: "default",
    persisted: true,
    faces: { frontend: null, runtime: "runtime.progress.narration" },
    doc: "What is going on, told for people. Derived from the events it names; changes nothing.",
    data: z.strictObject({
      message: text,
      provider: text,
      source_event_types: texts,
      source_event_ids: texts.optional(),
      model: text.optional(),
      style: text.optional(),
    }),
  }),
};
