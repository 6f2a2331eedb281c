import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import {
  type Outcome,
  type Policy,
  type PolicyInput,
  sampleInput,
  settlePolicy,
} from "@fairlead/runtime/policy";
import type { CommonOptions, Context } from "../command.ts";
import { Failure } from "../failure.ts";
import type { Host } from "../host.ts";
import { compiledRules, policyDirectory, readPolicyTexts } from "../policy/files.ts";
import { oneLine, table } from "../text.ts";

export interface ExplainOptions extends CommonOptions {
  readonly policies?: string;
  readonly workspace?: string;
}

export async function explain({ host, out }: Context, file: string, options: ExplainOptions): Promise<void> {
  const directory = policyDirectory(host, options.policies);
  const policy = compiledRules(readPolicyTexts(host, directory));
  const input = inputOf(await contents(host, file), resolve(host.cwd, options.workspace ?? "."));
  const { outcome, elapsed_ms } = timed(policy, input);
  if (out.json)
    return out.value({ ...outcome, elapsed_ms, rules: describe(host, policy, outcome), directory });
  const decision = outcome.kind === "decided" ? outcome.decision : undefined;
  const what = [outcome.event_type, outcome.tool_name].filter(Boolean).join(" ");
  await out.line(`${oneLine(what, 80)}: ${out.bold(decision?.decision ?? "not supported")}`);
  await out.line(`  ${oneLine(outcome.reason, 300)}`);
  await out.line(
    `  ${outcome.rule_id === null ? "No rule matched; the default counts." : `Rule ${outcome.rule_id} decides.`}`,
  );
  const rows = describe(host, policy, outcome).map(({ id, decision, by, at, decides }) => [
    decides ? "→" : " ",
    decision,
    id,
    by === "error" ? "could not be evaluated, so it counts" : "matches",
    at,
  ]);
  if (rows.length > 0) await out.line(table(rows, out.columns));
  for (const { rule_id, message } of outcome.errors)
    await out.line(`  ${out.paint("yellow", "error")} ${rule_id ?? ""} ${oneLine(message, 300)}`);
  if (decision !== undefined) await out.line(out.dim(`  answer ${oneLine(JSON.stringify(decision), 2_000)}`));
  const looked = policy.rulesOn(outcome.event_type).length;
  out.note(
    `${looked} of ${policy.rules.length} rules look at ${outcome.event_type}; ${elapsed_ms.toFixed(3)} ms.`,
  );
  out.note(`rules ${outcome.rule_set_hash.slice(0, 16)}, input ${outcome.input_hash.slice(0, 16)}`);
}

async function contents(host: Host, file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return readFileSync(resolve(host.cwd, file), "utf8");
  } catch (error) {
    throw new Failure("usage", `The event cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function inputOf(json: string, workspace: string): PolicyInput {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Failure("usage", `The event is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const sample = sampleInput(value, workspace);
  if (sample.ok) return sample.input;
  throw new Failure("usage", `This is no event. ${sample.message}`, {
    hint: "docs/policies.md has one to begin with.",
  });
}

/** Twice, because the first time is spent on compiling this program. */
function timed(policy: Policy, input: PolicyInput): { outcome: Outcome; elapsed_ms: number } {
  settlePolicy(policy, input);
  const started = performance.now();
  const outcome = settlePolicy(policy, input);
  return { outcome, elapsed_ms: performance.now() - started };
}

interface Matched {
  readonly id: string;
  readonly decision: string;
  readonly by: "condition" | "error";
  readonly at: string;
  readonly reason: string | null;
  readonly decides: boolean;
}

function describe(host: Host, policy: Policy, outcome: Outcome): Matched[] {
  return outcome.matched.map(({ rule_id, decision, by }) => {
    const rule = policy.rules.find(({ id }) => id === rule_id);
    const way = relative(host.cwd, resolve(host.cwd, rule?.file ?? ""));
    const at = `${way.startsWith("..") ? rule?.file : way}:${rule?.line}`;
    return {
      id: rule_id,
      decision,
      by,
      at,
      reason: rule?.reason ?? null,
      decides: rule_id === outcome.rule_id,
    };
  });
}
