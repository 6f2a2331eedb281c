import { FairleadError } from "@fairlead/contract";
import { z } from "zod";

/** One thing the scripted model does. `{{prompt}}` in a text stands for what it was asked. */
const Step = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ think: z.string() }),
  z.strictObject({ wait_ms: z.int().min(0).max(600_000) }),
  /** Throws, as a provider does that fails in the middle of an answer. */
  z.strictObject({ fail: z.string() }),
  /** Says nothing more and never ends. */
  z.strictObject({ hang: z.literal(true) }),
  /** Ends without saying so, as a connection does that breaks. */
  z.strictObject({ cut: z.literal(true) }),
  /** Sends something that is no part of an answer. */
  z.strictObject({ garbage: z.unknown() }),
  /** Ends the answer. Without one, it ends with `stop` after the last step. */
  z.strictObject({ finish: z.enum(["stop", "length", "filter"]) }),
]);
export type Step = z.infer<typeof Step>;

const Rule = z.strictObject({
  /** Answers requests that contain this text, in any case; left out, it answers every request. */
  when: z.string().optional(),
  do: z.array(Step).min(1),
});

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
