import { AhpEvent, SessionStats } from "@fairlead/ahp";
import { z } from "zod";
import { canonicalJson } from "../canonical.ts";
import type { SourceText, YamlFile } from "./file/yaml-file.ts";
import { readYaml } from "./file/yaml-file.ts";
import type { PolicyInput } from "./input.ts";
import { NO_BUDGET, NO_HISTORY, NO_STATS } from "./input.ts";
import type { Outcome } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { Problem } from "./problem.ts";
import { settlePolicy } from "./settle.ts";

const amounts = z.strictObject({
  tokens: z.number(),
  cost_usd: z.number(),
  actions: z.number(),
  duration_ms: z.number(),
});
const counts = z.record(z.string(), z.int().min(0));

const Expected = z.strictObject({
  /** `unsupported` where nobody can answer. */
  decision: z.string(),
  /** The rule that decides; null when none does; not looked at when left out. */
  rule: z.string().nullable().optional(),
  /** The whole answer. */
  answer: z.record(z.string(), z.unknown()).optional(),
});

const CaseText = z
  .strictObject({
    name: z.string().min(1),
    event: AhpEvent.partial().required({ event_type: true, payload: true }).strict().optional(),
    /** Short for a `pre_action` of a shell. */
    command: z.string().optional(),
    /** The same for each of several: one case each. */
    commands: z.array(z.string()).min(1).optional(),
    workspace: z.string().optional(),
    stats: SessionStats.partial().strict().optional(),
    budget: z
      .strictObject({ limits: amounts.partial().optional(), used: amounts.partial().optional() })
      .optional(),
    history: z
      .strictObject({ events: counts.optional(), tools: counts.optional(), decisions: counts.optional() })
      .optional(),
    expect: Expected,
  })
  .refine(
    ({ event, command, commands }) =>
      [event, command, commands].filter((given) => given !== undefined).length === 1,
    {
      error: "A case has one of event, command and commands",
    },
  );
type CaseText = z.infer<typeof CaseText>;

const CaseFile = z.strictObject({ workspace: z.string().optional(), cases: z.array(CaseText).min(1) });

/** One thing that a rule set must decide in one way. */
export interface PolicyCase {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly input: PolicyInput;
  readonly expect: z.infer<typeof Expected>;
}

export type Cases =
  | { readonly ok: true; readonly cases: readonly PolicyCase[] }
  | { readonly ok: false; readonly errors: readonly Problem[] };

/** Reads the cases that stand beside rules. Never throws. */
export function readCases(files: readonly SourceText[]): Cases {
  const errors: Problem[] = [];
  const cases = files.flatMap((source) => {
    const file = readYaml(source);
    if (Array.isArray(file)) {
      errors.push(...file);
      return [];
    }
    const read = CaseFile.safeParse(file.value);
    if (read.success) return read.data.cases.flatMap((text, i) => expand(file, i, text, read.data.workspace));
    errors.push(
      ...read.error.issues.map(({ path, message }) =>
        file.at(path, "bad_case", `${path.join(".")}: ${message}.`),
      ),
    );
    return [];
  });
  return errors.length === 0 ? { ok: true, cases } : { ok: false, errors };
}

function expand(file: YamlFile, i: number, text: CaseText, workspace: string | undefined): PolicyCase[] {
  const { name, expect } = text;
  const { line } = file.at(["cases", i, "name"], "bad_case", "");
  const make = (event: CaseText["event"], suffix = ""): PolicyCase => ({
    name: `${name}${suffix}`,
    file: file.path,
    line,
    expect,
    input: inputOf(text, event, workspace),
  });
  if (text.commands !== undefined)
    return text.commands.map((command) => make(shell(command), `: ${command}`));
  return [make(text.command === undefined ? text.event : shell(text.command))];
}

function shell(command: string): NonNullable<CaseText["event"]> {
  return { event_type: "pre_action", payload: { tool_name: "shell", arguments: { command } } };
}

function inputOf(text: CaseText, event: CaseText["event"], common: string | undefined): PolicyInput {
  const workspace = text.workspace ?? common;
  return {
    event: {
      session_id: "session",
      agent_id: "agent",
      timestamp: "2026-01-01T00:00:00Z",
      depth: 0,
      ...(event as Pick<AhpEvent, "event_type" | "payload">),
    },
    stats: { ...NO_STATS, ...text.stats },
    budget: { limits: { ...text.budget?.limits }, used: { ...NO_BUDGET.used, ...text.budget?.used } },
    history: { ...NO_HISTORY, ...text.history },
    ...(workspace === undefined ? {} : { workspace }),
  };
}

export interface CaseResult {
  readonly case: PolicyCase;
  readonly outcome: Outcome;
  /** What is not as expected, one sentence each; none when the case holds. */
  readonly wrong: readonly string[];
}

export function runCase(policy: Policy, one: PolicyCase): CaseResult {
  const outcome = settlePolicy(policy, one.input);
  const { decision, rule, answer } = one.expect;
  const got = outcome.kind === "decided" ? outcome.decision : { decision: "unsupported" };
  const wrong: string[] = [];
  if (got.decision !== decision)
    wrong.push(`Expected ${decision}, got ${got.decision}${by(outcome.rule_id)}.`);
  else if (rule !== undefined && rule !== outcome.rule_id) {
    wrong.push(`Expected ${rule === null ? "no rule" : rule} to decide, got ${outcome.rule_id ?? "none"}.`);
  }
  if (answer !== undefined && canonicalJson(answer) !== canonicalJson(got)) {
    wrong.push(`Expected the answer ${canonicalJson(answer)}, got ${canonicalJson(got)}.`);
  }
  return { case: one, outcome, wrong };
}

function by(rule: string | null): string {
  return rule === null ? " from the default" : ` from ${rule}`;
}
