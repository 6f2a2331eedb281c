import { z } from "zod";
import { event } from "../define.ts";
import { count, text } from "./fields.ts";

export const LOG_EVENTS = {
  "runtime.log.gap": event({
    v: 1,
    owner: "view",
    category: "view",
    tier: "default",
    persisted: false,
    faces: { frontend: "gap", runtime: "runtime.log.gap" },
    doc: "The events from `from_seq` to `to_seq` are gone. Told to a reader whose cursor is behind a trim, in their place.",
    data: z.strictObject({ from_seq: count, to_seq: count, reason: z.literal("trimmed") }),
  }),
  "runtime.adapter.event": event({
    v: 1,
    owner: "runtime",
    category: "signal",
    tier: "debug",
    persisted: true,
    faces: { frontend: null, runtime: "runtime.adapter.event" },
    doc: "Seed 003's envelope around a foreign executor's signal that has no entry of its own here, AHP's plain notifications among them. Known phases are stored as `agent.*`.",
    data: z.strictObject({ event: z.looseObject({ adapter: text, phase: text }) }),
  }),
};
