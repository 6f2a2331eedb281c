import { FairleadError } from "@fairlead/contract";
import { z } from "zod";

const tokens = z.int().min(0);

/** Said of a call: an id of one's own, and whether it breaks off in the middle of its arguments. */
const ofCall = { id: z.string().min(1).optional(), half: z.literal(true).optional() };

/** One thing the scripted model does. Texts may hold what `fill` knows, such as `{{prompt}}`. */
const Step = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ think: z.string() }),
  z.strictObject({ call: z.string().min(1), with: z.record(z.string(), z.unknown()).optional(), ...ofCall }),
  /** Arguments as text, which may be no JSON. */
  z.strictObject({ call: z.string().min(1), raw: z.string(), ...ofCall }),
  z.strictObject({ wait_ms: z.int().min(0).max(600_000) }),
  /** Fails as a provider does: with an HTTP status before the first word, in the middle of the answer after it. */
  z.strictObject({
    fail: z.string(),
    status: z.int().min(400).max(599).optional(),
    retry_after_ms: z.int().min(0).optional(),
  }),
  /** Says nothing more and never ends. */
  z.strictObject({ hang: z.literal(true) }),
  /** Ends without saying so, as a connection does that breaks. */
  z.strictObject({ cut: z.literal(true) }),
  /** Sends something that is no part of an answer. */
  z.strictObject({ garbage: z.unknown() }),
  /** In place of the estimate. */
  z.strictObject({
    usage: z.strictObject({
      input_tokens: tokens,
      output_tokens: tokens,
      cached_input_tokens: tokens.optional(),
      cache_write_tokens: tokens.optional(),
      reasoning_tokens: tokens.optional(),
    }),
  }),
  /** Ends the answer. Without one, it ends after the last step: with `tool_calls` if there were any, else with `stop`. */
  z.strictObject({ finish: z.enum(["stop", "length", "filter", "tool_calls"]) }),
]);
export type Step = z.infer<typeof Step>;
export type CallStep = Extract<Step, { call: string }>;

const Steps = z.array(Step).min(1);

/** Steps for one outcome of the tools. All that is given must hold; the first choice that fits is played. */
const Choice = z.strictObject({
  /** The results to look at: those of this tool since the request, else those of the round before. */
  tool: z.string().optional(),
  /** One of the results failed, or none did. */
  when_failed: z.boolean().optional(),
  /** One of the results contains this text, in any case. */
  when_result: z.string().optional(),
  do: Steps,
});
export type Choice = z.infer<typeof Choice>;

const Rule = z
  .strictObject({
    /** Answers requests that contain this text, or one of these, in any case; left out, it answers every request. */
    when: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
    /** Answers only when all of these tools are offered. */
    needs: z.array(z.string()).optional(),
    /** Played instead the first times that this rule answers, one after the other: for faults that pass. */
    at_first: z.array(Steps).optional(),
    /** Played each time. */
    do: Steps.optional(),
    /** One after the other: the request itself, then each time the results of the tools come back. */
    rounds: z
      .array(z.union([Steps, z.array(Choice).min(1)]))
      .min(1)
      .optional(),
  })
  .refine((rule) => (rule.do === undefined) !== (rule.rounds === undefined), "Give `do` or `rounds`.");
export type Rule = z.infer<typeof Rule>;

const Script = z.strictObject({
  /** Milliseconds between two words. */
  word_ms: z.int().min(0).max(10_000).optional(),
  /** The first that fits answers. */
  rules: z.array(Rule),
});
export type Script = z.infer<typeof Script>;

/** Throws bad_request with the first thing that does not fit. */
export function parseScript(json: string, name: string): Script {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new FairleadError("bad_request", {
      message: `${name} is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
  const parsed = Script.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FairleadError("bad_request", {
    message: `${name} is not a script: ${issue?.path.join(".") || "the whole"}: ${issue?.message}`,
  });
}
