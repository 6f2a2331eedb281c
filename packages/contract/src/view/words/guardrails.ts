import { amount, type Json, listed, many, number, record, records, sentence, text, worded } from "./json.ts";

/** What each guardrail of ours counts. */
const COUNTED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  denied_calls: ["call was denied", "calls were denied"],
  blocked_by_policy: ["was blocked by policy", "were blocked by policy"],
  blocked_by_hooks: ["was blocked by a hook", "were blocked by hooks"],
  escalated: ["was put before a person by a rule", "were put before a person by a rule"],
  asked_of_people: ["question was asked of people", "questions were asked of people"],
  invalid_calls: ["call did not fit its tool", "calls did not fit their tools"],
  repaired_calls: ["call was mended", "calls were mended"],
};

/** What held the turn back, one line each. Those that did nothing are one line together. */
export function guardrailsInWords(guardrails: unknown): readonly string[] {
  const all = records(guardrails);
  const stepped = all.filter((one) => number(one["count"]) !== 0);
  const quiet = all.length - stepped.length;
  return [
    ...stepped.map(guardrailInWords),
    ...(quiet === 0
      ? []
      : [stepped.length === 0 ? "None had to step in." : `${quiet} more did not step in.`]),
  ];
}

/** Some watched, and none did anything. */
export function isCalm(guardrails: unknown): boolean {
  const all = records(guardrails);
  return all.length > 0 && all.every((one) => number(one["count"]) === 0);
}

/** All of it on one line; what the turn says of itself where it names no guardrail. */
export function guardrailLine(guardrails: unknown, summary: string): string {
  const lines = guardrailsInWords(guardrails);
  return lines.length === 0 ? worded(summary) : lines.join(" ");
}

function guardrailInWords(guardrail: Json): string {
  const { name, count, status, outcome, result } = guardrail;
  const known = typeof name === "string" && Object.hasOwn(COUNTED, name) ? COUNTED[name] : undefined;
  if (known !== undefined && typeof count === "number") return `${many(count, ...known)}.`;
  const called = worded(text(name) ?? text(guardrail["id"]) ?? "A guardrail without a name");
  const how = [status, outcome, result].map(text).find((said) => said !== null);
  const why = ["reason", "message", "summary"]
    .map((key) => text(guardrail[key]))
    .find((said) => said !== null);
  const counted = number(count) === null ? null : `${amount(number(count)!)} times`;
  const said = [how === undefined ? null : worded(how!), counted, why].filter((part) => part != null);
  return said.length === 0 ? `${called}.` : `${called}: ${said.join(", ").replace(/\.?$/, ".")}`;
}

/** One part of what a turn perceived, remembered and decided. */
export type Part = readonly [name: string, said: string];

/** The cognition of a turn, part by part. What is not known here is left to who looks at the event itself. */
export function cognitionInWords(details: unknown): readonly Part[] {
  const { perceived, remembered, decided, identity, limits, spent } = record(details);
  const parts: readonly (readonly [string, string | null])[] = [
    ["Perceived", perceivedInWords(record(perceived))],
    ["Remembered", rememberedInWords(record(remembered))],
    ["Decided", decidedInWords(record(decided))],
    ["Worked as", identityInWords(record(identity))],
    ["Used", spentInWords(record(spent), record(limits))],
  ];
  return parts.flatMap(([name, said]) => (said === null ? [] : [[name, said] as const]));
}

function perceivedInWords({ input_chars, heard_meanwhile, intent }: Json): string | null {
  const meant = text(record(intent)["intent"]);
  return sentence(
    typeof input_chars === "number" ? `${many(input_chars, "character")} of request` : null,
    heard_meanwhile === 0 ? null : many(heard_meanwhile, "thing said meanwhile", "things said meanwhile"),
    meant === null ? null : `taken to mean: ${meant}`,
  );
}

function rememberedInWords({ retrievals, citations, facts }: Json): string | null {
  const told = new Set(records(facts).map(({ source }) => text(source) ?? "somebody"));
  return sentence(
    retrievals === 0 ? "nothing was looked up" : many(retrievals, "look-up"),
    citations === 0 ? null : many(citations, "source"),
    told.size === 0 ? null : `told more by ${[...told].map(worded).join(" and ")}`,
  );
}

function decidedInWords({ tools, approvals }: Json): string | null {
  const calls = Object.entries(record(tools)).map(
    ([tool, outcomes]) =>
      `${tool} ${Object.entries(record(outcomes))
        .map(([outcome, times]) => `${String(times)} ${worded(outcome)}`)
        .join(" and ")}`,
  );
  const people = records(approvals).map(
    ({ tool, decision, by }) =>
      `${text(by) ?? "somebody"} ${text(decision) ?? "decided"} ${text(tool) ?? "it"}`,
  );
  return listed(...calls, ...people) ?? "No tool was called.";
}

function identityInWords({ agent, actor, model, permission_mode, approval_mode }: Json): string | null {
  return listed(
    text(agent),
    text(actor) === null ? null : `for ${text(actor)}`,
    text(model) === null ? null : `with ${text(model)}`,
    text(permission_mode) === null ? null : `may: ${worded(text(permission_mode)!)}`,
    text(approval_mode) === null ? null : `asks: ${worded(text(approval_mode)!)}`,
  );
}

function spentInWords({ steps, tokens, cost_usd }: Json, limits: Json): string | null {
  const most = (name: string, print: (value: number) => string): string => {
    const limit = number(limits[name]);
    return limit === null ? "" : ` of at most ${print(limit)}`;
  };
  const dollars = (value: number): string => `$${amount(value)}`;
  return sentence(
    number(steps) === null ? null : `${many(steps, "step")}${most("steps", amount)}`,
    number(tokens) === null ? null : `${many(tokens, "token")}${most("tokens", amount)}`,
    number(cost_usd) === null ? null : `${dollars(number(cost_usd)!)}${most("cost_usd", dollars)}`,
  );
}
