import type { PolicyInput } from "@fairlead/runtime/policy";
import { compilePolicy, evaluatePolicy } from "@fairlead/runtime/policy";
import { median, round } from "./measure.ts";

const RULES = 100;

/** Conditions of the kinds that people write; each rule has one of its own, and each of them is met. */
const CONDITIONS: readonly ((n: number) => string)[] = [
  (n) =>
    `event.payload.tool_name == "shell" && !event.payload.arguments.command.contains("push --force-${n}")`,
  (n) => `event.payload.arguments.command.matches("(?i)cargo +test|rm +-rf +/srv/${n}($|/)")`,
  (n) => `event.payload.tool_name in ["shell", "release-${n}"]`,
  (n) => `stats.error_count > ${1000 + n} || stats.total_actions >= ${n}`,
  (n) => `history.tool("shell") > ${n} && event.depth == 0`,
  (n) => `has(event.payload.arguments.timeout_ms) && event.payload.arguments.timeout_ms > ${n}`,
  (n) => `budget.share.tokens < 0.9 && event.agent_id != "agent-${n}"`,
  (n) => `has(event.metadata.project) && !event.metadata.project.startsWith("secret-${n}")`,
  (n) => `action.commands.exists(c, c.name == "git" && !c.flag("--force-${n}"))`,
  (n) => `!action.paths.exists(p, p.startsWith("/srv/production/${n}"))`,
];
const DECISIONS = ["block", "escalate", "defer", "modify", "allow"];

function rule(n: number): string {
  const decide = DECISIONS[n % DECISIONS.length] as string;
  const needs: Record<string, string> = {
    defer: "    retry_after_ms: 1000\n",
    modify: "    patch: { reviewed: true }\n",
  };
  const when = JSON.stringify((CONDITIONS[n % CONDITIONS.length] as (n: number) => string)(n));
  return `  - id: rule-${n}\n    on: [pre_action]\n    when: ${when}\n    decide: ${decide}\n    reason: Rule ${n}.\n${needs[decide] ?? ""}`;
}

const INPUT: PolicyInput = {
  event: {
    event_type: "pre_action",
    session_id: "ses_01JZ0000000000000000000000",
    agent_id: "agent-xyz",
    timestamp: "2026-05-01T00:00:00Z",
    depth: 0,
    payload: {
      tool_name: "shell",
      arguments: {
        command: "cargo test --all-features && git push origin main",
        cwd: "/repo",
        timeout_ms: 60_000,
      },
    },
    context: {
      current_task: "run tests",
      session_stats: { total_actions: 3, total_tokens: 42, duration_ms: 1000, error_count: 0 },
    },
    metadata: { project: "fairlead" },
  },
  stats: { total_actions: 312, total_tokens: 48_211, duration_ms: 910_000, error_count: 4 },
  budget: {
    limits: { tokens: 1_000_000 },
    used: { tokens: 48_211, cost_usd: 0.9, actions: 312, duration_ms: 910_000 },
  },
  history: {
    events: { pre_action: 312, pre_prompt: 57 },
    tools: { shell: 120, read_file: 192 },
    decisions: { allow: 360, block: 9 },
  },
  workspace: "/repo",
};

/** One decision over rules that all apply to the event and match it, its hash included, in microseconds. */
export async function policy({ samples = 15, sampleMs = 200 } = {}): Promise<{
  rules: number;
  us_per_decision: number;
}> {
  const compiled = compilePolicy([
    { path: "bench.yaml", text: `rules:\n${Array.from({ length: RULES }, (_, n) => rule(n)).join("")}` },
  ]);
  if (!compiled.ok) throw new Error(`The rules do not compile: ${JSON.stringify(compiled.errors[0])}`);
  const { policy } = compiled;
  if (policy.rulesOn("pre_action").length !== RULES) throw new Error("Some rule does not apply.");
  const { errors, matched } = evaluatePolicy(policy, INPUT);
  if (errors.length > 0) throw new Error("Some condition cannot be evaluated.");
  if (matched.length !== RULES) throw new Error(`Only ${matched.length} rules match.`);
  const times: number[] = [];
  for (let i = 0; i < samples + 3; i++) {
    const started = performance.now();
    let count = 0;
    for (; performance.now() - started < sampleMs; count += 20)
      for (let n = 0; n < 20; n++) evaluatePolicy(policy, INPUT);
    times.push(((performance.now() - started) * 1000) / count);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The first ones run before the code is compiled.
  return { rules: RULES, us_per_decision: round(median(times.slice(3)), 1) };
}

if (import.meta.main) console.log(JSON.stringify(await policy()));
