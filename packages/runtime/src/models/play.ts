import type { RequestedCall } from "@fairlead/contract";
import { ModelFault, type ModelFaultKind, type ModelRequest, type TokenUsage } from "../ports/model.ts";
import { fill, fillAll, type Situation, situationOf } from "./fill.ts";
import type { CallStep, Choice, Rule, Script, Step } from "./script.ts";

const NO_RULE: readonly Step[] = [{ say: "Nothing in my script answers that." }];
const NO_ROUND: readonly Step[] = [{ say: "Done." }];

/** What is played for one request. */
export interface Play {
  readonly steps: readonly Step[];
  text(text: string): string;
  /** The call a step asks for. Same request, same ids; another request, others. */
  call(step: CallStep): RequestedCall;
  /** `said`: characters of the answer. */
  usage(said: number): TokenUsage;
}

/** How often each rule has answered: all that a script remembers. */
export type Played = Map<Rule, number>;

export function choosePlay(script: Script, request: ModelRequest, played: Played): Play {
  const situation = situationOf(request.messages);
  const rule = script.rules.find((one) => fits(one, situation.prompt, request));
  const size = request.messages.reduce((sum, { text }) => sum + text.length, 0);
  let calls = 0;
  return {
    steps: rule === undefined ? NO_RULE : (passing(rule, played) ?? rule.do ?? roundOf(rule, situation)),
    text: (text) => fill(text, situation),
    call: (step) => ({
      tool_call_id: step.id ?? `call_${request.messages.length}x${size.toString(36)}_${(calls += 1)}`,
      name: step.call,
      arguments:
        "raw" in step ? fill(step.raw, situation) : JSON.stringify(fillAll(step.with ?? {}, situation)),
    }),
    usage: (said) => ({ input_tokens: tokens(size), output_tokens: tokens(said) }),
  };
}

function fits({ when, needs }: Rule, prompt: string, { tools }: ModelRequest): boolean {
  if (needs?.some((name) => !tools?.some((tool) => tool.name === name))) return false;
  if (when === undefined) return true;
  const asked = prompt.toLowerCase();
  return (typeof when === "string" ? [when] : when).some((text) => asked.includes(text.toLowerCase()));
}

function passing(rule: Rule, played: Played): readonly Step[] | undefined {
  if (rule.at_first === undefined) return undefined;
  const times = played.get(rule) ?? 0;
  played.set(rule, times + 1);
  return rule.at_first[times];
}

function roundOf({ rounds = [] }: Rule, situation: Situation): readonly Step[] {
  const round = rounds[situation.round];
  const choice = round?.find((one): one is Choice => "do" in one && holds(one, situation));
  if (choice !== undefined) return choice.do;
  return round === undefined || round.some((one) => "do" in one) ? NO_ROUND : (round as Step[]);
}

function holds({ tool, when_failed, when_result }: Choice, { results, latest }: Situation): boolean {
  const seen = tool === undefined ? latest : results.filter(({ name }) => name === tool);
  if (when_failed !== undefined && seen.some(({ failed }) => failed) !== when_failed) return false;
  if (when_result === undefined) return true;
  return seen.some(({ text }) => text.toLowerCase().includes(when_result.toLowerCase()));
}

/** Each word with the space before it; together they are the text. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** A guess, as good as any without a tokenizer. */
function tokens(chars: number): number {
  return Math.ceil(chars / 4);
}

const KINDS: Readonly<Record<number, ModelFaultKind>> = {
  401: "auth",
  403: "auth",
  408: "unavailable",
  429: "rate_limit",
};

export function faultOf({ fail, status = 500, retry_after_ms }: Extract<Step, { fail: string }>): ModelFault {
  const kind = KINDS[status] ?? (status < 500 ? "refused" : "unavailable");
  return new ModelFault(kind, fail, { status, retryAfterMs: retry_after_ms });
}
