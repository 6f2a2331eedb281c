import { z } from "zod";

const GATES = ["pre_action", "pre_prompt"] as const;
const asked = z.boolean().optional();
/** True is how it is anyway. Nobody opens a gate by a `false` among others. */
const gate = z
  .literal(true, "This is always asked. To let rules judge it no more, name it in supervise.unsupervised.")
  .optional();

/** What runs of our own are asked about: `planning: true`. Left out: where a rule or a supervisor is there for it. */
export const SuperviseConfig = z
  .strictObject({
    pre_action: gate,
    pre_prompt: gate,
    idle: asked,
    intent_detection: asked,
    context_perception: asked,
    memory_recall: asked,
    planning: asked,
    reasoning: asked,
    rate_limit: asked,
    confirmation: asked,
    /** Gates that rules judge no more. Guards still do, and supervisors that answer for them; each turn's record says so. */
    unsupervised: z.array(z.enum(GATES)).default([]),
  })
  .transform(({ pre_action: _, pre_prompt: __, unsupervised, ...on }) => ({ on, unsupervised }));
