import { AHP_EVENTS, type EventType, GenericDecision } from "@fairlead/ahp";
import { EVENTS } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import {
  evaluatePolicy,
  type Outcome,
  policyDecisionData,
  type PolicyInput,
  settlePolicy,
} from "../../src/policy.ts";
import { STRICTNESS } from "../../src/domain/policy/strictness.ts";
import { eventOf, inputOf, policyOf, rulesOf } from "./support.ts";

const shell = (command: string) => eventOf({ tool_name: "shell", arguments: { command } });

function decide(
  policy: ReturnType<typeof policyOf>,
  event = shell("ls"),
  rest: Partial<PolicyInput> = {},
): Outcome {
  const outcome = evaluatePolicy(policy, inputOf(event, rest));
  if (outcome.kind === "decided") {
    const schema = AHP_EVENTS[event.event_type].decision ?? GenericDecision;
    expect(schema.safeParse(outcome.decision)).toMatchObject({ success: true, data: outcome.decision });
  }
  return outcome;
}

const answer = (outcome: Outcome): unknown => (outcome.kind === "decided" ? outcome.decision : outcome.kind);

describe("the example of the format", () => {
  const policy = policyOf(`
rules:
  - id: no-force-push
    on: [pre_action]
    when: event.payload.tool_name == "shell" && event.payload.arguments.command.contains("push --force")
    decide: escalate
    reason: Force pushes need a person.
`);
  it("decides", () => {
    expect(decide(policy, shell("git push --force"))).toMatchObject({
      kind: "decided",
      decision: { decision: "escalate", reason: "Force pushes need a person." },
      rule_id: "no-force-push",
      matched: [{ rule_id: "no-force-push", decision: "escalate", by: "condition" }],
      errors: [],
      rule_set_hash: policy.hash,
      tool_name: "shell",
    });
  });
  it("leaves the rest to the default", () => {
    expect(decide(policy, shell("git push"))).toMatchObject({
      decision: { decision: "allow" },
      rule_id: null,
      matched: [],
    });
  });
});

/** What a rule needs for each decision of each event type. */
const NEEDS: Record<string, Record<string, unknown>> = {
  "generic:modify": { patch: { reviewed: true } },
  "generic:defer": { retry_after_ms: 5 },
  "intent_detection:allow": { detected_intent: "ask", confidence: 0.5 },
  "context_perception:allow": { injected_context: { facts: [] } },
  "context_perception:refine": { scope_hints: ["src"] },
  "memory_recall:allow": { injected_facts: [] },
  "planning:allow": { selected_strategy: "step_by_step" },
  "planning:modify": { modified_task: "less" },
  "rate_limit:retry": { retry_after_ms: 7 },
};
const needs = (type: string, decision: string) =>
  NEEDS[`${type}:${decision}`] ?? (type.startsWith("pre_") ? NEEDS[`generic:${decision}`] : undefined) ?? {};

const PAYLOADS: Partial<Record<EventType, unknown>> = {
  planning: { session_id: "s", task_description: "t", available_strategies: [{ custom: "mine" }, "none"] },
  rate_limit: {
    session_id: "s",
    limit_type: "api_request_limit",
    retry_after_ms: 1234,
    current_usage: "9/10",
  },
};
const someEvent = (type: EventType) => eventOf(PAYLOADS[type] ?? { tool_name: "shell" }, type);

describe("the strictest decision wins", () => {
  const pairs = Object.entries(STRICTNESS).flatMap(([type, order]) =>
    order.flatMap((mild, i) =>
      order.slice(i + 1).map((strict) => [type as EventType, mild as string, strict as string] as const),
    ),
  );
  it.each(pairs)("%s: %s gives way to %s, in either order", (type, mild, strict) => {
    const rule = (decide: string) => ({
      on: [type],
      when: "event.depth == 0",
      decide,
      ...needs(type, decide),
    });
    for (const [a, b] of [
      [mild, strict],
      [strict, mild],
    ] as const) {
      // Conditions that differ, so that neither rule hides the other for good.
      const policy = rulesOf(rule(a), { ...rule(b), when: "event.depth < 1" });
      const outcome = decide(policy, someEvent(type));
      expect(outcome).toMatchObject({
        decision: { decision: strict },
        rule_id: a === strict ? "rule-0" : "rule-1",
      });
      expect(outcome.matched.map(({ decision }) => decision)).toEqual([a, b]);
    }
  });
  it("has an order for exactly the decisions that the protocol has", () => {
    for (const [type, order] of Object.entries(STRICTNESS)) {
      const { options } = AHP_EVENTS[type as keyof typeof STRICTNESS].decision;
      expect(order.toSorted()).toEqual(options.map(({ shape }) => shape.decision.value).toSorted());
    }
  });
});

describe("where nothing matches", () => {
  const empty = policyOf("rules: []");
  it.each([
    ["pre_action", { decision: "allow" }],
    ["pre_prompt", { decision: "allow" }],
    ["post_action", { decision: "allow" }],
    ["idle", { decision: "allow" }],
    ["confirmation", { decision: "escalate" }],
    ["rate_limit", { decision: "retry", retry_after_ms: 1234 }],
    ["planning", { decision: "allow", selected_strategy: { custom: "mine" } }],
    ["reasoning", { decision: "allow" }],
    ["memory_recall", { decision: "allow", injected_facts: [] }],
    ["context_perception", { decision: "allow", injected_context: { facts: [] } }],
    ["intent_detection", "unsupported"],
  ] as const)("%s is answered %j", (type, expected) => {
    const outcome = decide(empty, someEvent(type));
    expect(answer(outcome)).toEqual(expected);
    expect(outcome).toMatchObject({ rule_id: null, matched: [], errors: [] });
  });
  it.each(["block", "escalate"] as const)("generic questions can be answered %s", (generic) => {
    const policy = policyOf(`defaults: { generic: ${generic} }\nrules: []`);
    expect(answer(decide(policy))).toMatchObject({ decision: generic });
    expect(answer(decide(policy, someEvent("idle")))).toEqual({ decision: "allow" });
  });
  it.each([[null], [{}], [{ available_strategies: [] }], [{ available_strategies: ["x"] }], [7]])(
    "planning on the payload %j takes none",
    (payload) => {
      expect(answer(decide(empty, eventOf(payload, "planning")))).toEqual({
        decision: "allow",
        selected_strategy: "none",
      });
    },
  );
});

describe("a condition that cannot be evaluated", () => {
  const broken = 'event.payload.missing == "x"';
  it.each([
    ["pre_action", "block"],
    ["pre_action", "escalate"],
    ["confirmation", "reject"],
    ["confirmation", "escalate"],
    ["rate_limit", "skip"],
    ["idle", "defer"],
    ["planning", "block"],
  ] as const)("counts as met for %s %s, and is reported", (on, decide_) => {
    const policy = rulesOf({ on: [on], when: 'event.metadata.missing == "x"', decide: decide_ });
    const outcome = decide(policy, someEvent(on));
    expect(outcome).toMatchObject({
      decision: { decision: decide_ },
      matched: [{ rule_id: "rule-0", by: "error" }],
      errors: [{ rule_id: "rule-0", message: expect.stringContaining("metadata") as string }],
    });
  });
  it.each([
    ["allow", {}],
    ["modify", { patch: { a: 1 } }],
    ["defer", { retry_after_ms: 1 }],
  ])("counts as not met for %s, and is reported", (decide_, rest) => {
    const outcome = decide(rulesOf({ when: broken, decide: decide_, ...rest }));
    expect(outcome).toMatchObject({
      decision: { decision: "allow" },
      rule_id: null,
      matched: [],
      errors: [{ rule_id: "rule-0" }],
    });
  });
  it("is not met when the other side settles it", () => {
    const policy = rulesOf(
      { when: `${broken} && event.depth == 9`, decide: "block" },
      { when: `event.depth == 8 && ${broken}`, decide: "escalate" },
      { when: `${broken} || event.depth == 0`, decide: "defer", retry_after_ms: 1 },
    );
    expect(decide(policy)).toMatchObject({ decision: { decision: "defer" }, errors: [] });
  });
  it("can ask whether a field is there", () => {
    const policy = rulesOf({ when: `has(event.payload.missing) && ${broken}`, decide: "block" });
    expect(decide(policy)).toMatchObject({ decision: { decision: "allow" }, errors: [] });
  });
  it("counts as met when the payload plays tricks with names", () => {
    const policy = rulesOf({ when: "event.payload.arguments.command.size() > 100", decide: "block" });
    for (const trick of [
      '{"constructor":1}',
      '{"__proto__":{"command":"x"}}',
      '{"toString":1}',
      "null",
      "[]",
      '"text"',
      "7",
    ]) {
      expect(decide(policy, eventOf(JSON.parse(`{"arguments":${trick}}`)))).toMatchObject({
        decision: { decision: "block" },
      });
      expect(decide(policy, eventOf(JSON.parse(trick)))).toMatchObject({ decision: { decision: "block" } });
    }
  });
  it("is answered with no when the change that a rule asks for cannot be made", () => {
    const policy = rulesOf({
      when: 'event.payload.tool_name == "shell"',
      decide: "modify",
      patch: { arguments: { command: { cel: '"sandbox " + event.payload.arguments.command' } } },
    });
    expect(decide(policy)).toMatchObject({ decision: { decision: "modify" }, errors: [] });
    const list = eventOf({ tool_name: "shell", arguments: { command: ["rm", "-rf", "/"] } });
    expect(decide(policy, list)).toMatchObject({
      decision: { decision: "block" },
      rule_id: "rule-0",
      matched: [{ rule_id: "rule-0", decision: "block", by: "error" }],
      errors: [{ rule_id: "rule-0" }],
    });
  });
  it("believes no agent about its workspace, unless told to", () => {
    const policy = rulesOf({ when: "action.outside.size() > 0", decide: "block" });
    const event = eventOf({ tool_name: "shell", arguments: { command: "cat /srv/b/x" } }, "pre_action", {
      metadata: { workspace: "/srv/b" },
    });
    const said = (rest: Partial<PolicyInput>) => answer(decide(policy, event, rest));
    const no = { decision: "block", reason: "Reason 0." };
    expect(said({})).toEqual(no);
    for (const workspace of ["/", "/root", "/home", "/home/ada", "/srv", "/srv/a"])
      for (const believe_workspace of [false, true])
        expect(said({ workspace, believe_workspace }), workspace).toEqual(no);
    expect(said({ believe_workspace: true })).toEqual({ decision: "allow" });
  });
  it("is answered with no when nobody can read the event", () => {
    let deep: unknown = "x";
    for (let i = 0; i < 200_000; i++) deep = [deep];
    expect(decide(rulesOf(), eventOf(deep))).toMatchObject({
      decision: { decision: "block" },
      rule_id: null,
      input_hash: "",
    });
    expect(decide(rulesOf(), eventOf(deep, "confirmation"))).toMatchObject({
      decision: { decision: "reject" },
    });
    const strange = { ...shell("ls"), event_type: "constructor" as EventType };
    expect(evaluatePolicy(rulesOf(), inputOf(strange))).toMatchObject({ decision: { decision: "block" } });
  });
});

describe("answers that add up", () => {
  it("patches go one after the other, in the order of the rules", () => {
    const policy = rulesOf(
      { decide: "modify", patch: { arguments: { timeout_ms: 10, env: { A: "1" } }, note: "first" } },
      { decide: "modify", patch: { arguments: { env: { B: "2" }, command: null }, note: "second" } },
    );
    const event = shell("ls");
    expect(answer(decide(policy, event))).toEqual({
      decision: "modify",
      modified_payload: {
        tool_name: "shell",
        arguments: { timeout_ms: 10, env: { A: "1", B: "2" } },
        note: "second",
      },
    });
    expect(event).toEqual(shell("ls"));
  });
  it("a patch can compute values", () => {
    const policy = rulesOf({
      decide: "modify",
      patch: {
        arguments: { timeout_ms: { cel: "event.payload.arguments.timeout_ms / 2" } },
        list: [{ cel: "event.depth + 1" }, "x"],
      },
    });
    const event = eventOf({ arguments: { timeout_ms: 90 } });
    expect(answer(decide(policy, event))).toMatchObject({
      modified_payload: { arguments: { timeout_ms: 45 }, list: [1, "x"] },
    });
    expect(decide(policy, shell("ls"))).toMatchObject({
      decision: { decision: "block" },
      errors: [{ rule_id: "rule-0" }],
    });
  });
  it("a rule changes a question once, and the others judge what it made", () => {
    const prefix = {
      when: 'event.payload.tool_name == "shell"',
      decide: "modify",
      patch: { arguments: { command: { cel: '"sandbox " + event.payload.arguments.command' } } },
    };
    const said = (...rules: Record<string, unknown>[]) =>
      settlePolicy(rulesOf(...rules), inputOf(shell("ls")));
    expect(said(prefix)).toMatchObject({
      decision: { decision: "modify", modified_payload: { arguments: { command: "sandbox ls" } } },
      rule_id: "rule-0",
    });
    const strict = { when: 'event.payload.arguments.command.startsWith("sandbox")', decide: "block" };
    expect(said(prefix, strict)).toMatchObject({ decision: { decision: "block" }, rule_id: "rule-1" });
    const applied = new Set(["rule-0"]);
    expect(evaluatePolicy(rulesOf(prefix), inputOf(shell("ls")), { applied })).toMatchObject({
      decision: { decision: "allow" },
    });
  });
  it("a patch cannot reach a prototype", () => {
    const policy = policyOf(
      `rules: [{ id: a, on: [pre_action], decide: modify, patch: { __proto__: { polluted: 1 } } }]`,
    );
    const event = eventOf(JSON.parse('{"__proto__":{"a":1},"b":2}'));
    const { modified_payload } = answer(decide(policy, event)) as { modified_payload: object };
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(modified_payload)).toBe(Object.prototype);
    expect(JSON.stringify(modified_payload)).toBe('{"__proto__":{"a":1},"b":2}');
  });
  it("the longest wait counts", () => {
    const policy = rulesOf(
      { decide: "defer", retry_after_ms: 5 },
      { decide: "defer", retry_after_ms: 50 },
      { decide: "defer", retry_after_ms: 10 },
    );
    expect(decide(policy)).toMatchObject({ decision: { retry_after_ms: 50 }, rule_id: "rule-1" });
  });
  it("facts, hints and context are joined", () => {
    const fact = (content: string) => ({ content, source: "rules", confidence: 1 });
    const facts = rulesOf(
      { on: ["memory_recall"], decide: "allow", injected_facts: [fact("a")] },
      { on: ["memory_recall"], decide: "allow", injected_facts: [fact("b")] },
    );
    expect(answer(decide(facts, someEvent("memory_recall")))).toEqual({
      decision: "allow",
      injected_facts: [fact("a"), fact("b")],
    });
    const hints = rulesOf(
      { on: ["reasoning"], decide: "allow", hints: ["a"] },
      { on: ["reasoning"], decide: "allow", hints: ["b"] },
    );
    expect(answer(decide(hints, someEvent("reasoning")))).toEqual({ decision: "allow", hints: ["a", "b"] });
    const context = rulesOf(
      {
        on: ["context_perception"],
        decide: "allow",
        injected_context: { facts: [fact("a")], knowledge: ["k"] },
      },
      {
        on: ["context_perception"],
        decide: "allow",
        injected_context: { facts: [fact("b")], suggestions: ["s"] },
      },
    );
    expect(answer(decide(context, someEvent("context_perception")))).toEqual({
      decision: "allow",
      injected_context: { facts: [fact("a"), fact("b")], knowledge: ["k"], suggestions: ["s"] },
    });
  });
});

describe("numbers of JSON", () => {
  const payload = { n: 3, half: 0.5, list: [1, 2, 3], text: "3", big: 9_007_199_254_740_991 };
  it.each([
    "event.payload.n == 3",
    "3 == event.payload.n",
    "event.payload.n == 3.0",
    "event.payload.n != 4",
    "event.payload.n > 2 && event.payload.n >= 3 && event.payload.n < 4 && event.payload.n <= 3",
    "2 < event.payload.n",
    "event.payload.half == 0.5 && event.payload.half < 1",
    "event.payload.n in [1, 2, 3]",
    "3 in event.payload.list",
    "event.payload.list == [1, 2, 3]",
    "event.payload.list[0] == 1",
    "event.payload.list.exists(x, x == 2)",
    "event.payload.n + 1 == 4",
    "event.payload.n * 2 - 1 == 5",
    "event.payload.n / 2 == 1.5",
    "event.payload.n % 2 == 1",
    "size(event.payload.list) == 3",
    "event.payload.text != 3",
    "event.payload.big == 9007199254740991",
    "event.depth == 2 && event.depth + 0.5 > 2",
    "stats.total_actions == 7 && stats.error_count < 3",
    "budget.used.tokens == 90 && budget.limits.tokens == 100 && budget.share.tokens == 0.9",
    "!has(budget.limits.cost_usd) && budget.share.cost_usd == 0",
    'history.tool("shell") == 4 && history.tool("other") == 0 && history.tool("toString") == 0',
    'history.event("pre_action") == 9 && history.decision("block") > 1',
  ])("%s", (when) => {
    const policy = rulesOf({ when, decide: "block" });
    const outcome = decide(policy, eventOf(payload, "pre_action", { depth: 2 }), {
      stats: { total_actions: 7, total_tokens: 0, duration_ms: 0, error_count: 2 },
      budget: { limits: { tokens: 100 }, used: { tokens: 90, cost_usd: 3, actions: 0, duration_ms: 0 } },
      history: { events: { pre_action: 9 }, tools: { shell: 4 }, decisions: { block: 2 } },
    });
    expect(outcome).toMatchObject({
      decision: { decision: "block" },
      errors: [],
      matched: [{ by: "condition" }],
    });
  });
});

describe("patterns", () => {
  it("take linear time, whatever they are", () => {
    const policy = rulesOf(
      { when: 'event.payload.text.matches("^(a+)+$")', decide: "block" },
      {
        when: 'matches(event.payload.text, "(a|a|aa)+$") && size(event.payload.text) > 0',
        decide: "escalate",
      },
    );
    const started = performance.now();
    const outcome = decide(policy, eventOf({ text: `${"a".repeat(100_000)}!` }));
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(outcome).toMatchObject({ decision: { decision: "allow" }, errors: [] });
    expect(decide(policy, eventOf({ text: "a".repeat(100_000) }))).toMatchObject({
      decision: { decision: "block" },
    });
  });
  it("find, not only match from end to end", () => {
    expect(
      decide(
        rulesOf({ when: 'event.payload.text.matches("b+")', decide: "block" }),
        eventOf({ text: "abbc" }),
      ),
    ).toMatchObject({
      decision: { decision: "block" },
    });
  });
  it("do not read texts without end, and fail closed", () => {
    const policy = rulesOf({ when: 'event.payload.text.matches("x")', decide: "block" });
    expect(decide(policy, eventOf({ text: "a".repeat(300_000) }))).toMatchObject({
      decision: { decision: "block" },
      errors: [{ message: expect.stringContaining("262144") as string }],
    });
  });
});

describe("the hash of the input", () => {
  const hash = (event: Parameters<typeof inputOf>[0], rest: Partial<PolicyInput> = {}) =>
    decide(rulesOf(), event, rest).input_hash;
  it("is the same for the same input, whatever the order of its keys", () => {
    expect(hash(eventOf({ a: 1, b: { c: 2, d: 3 } }))).toBe(hash(eventOf({ b: { d: 3, c: 2 }, a: 1 })));
    expect(hash(shell("ls"))).toMatch(/^[0-9a-f]{64}$/);
  });
  it("changes with all that a decision is made from", () => {
    const stats = { total_actions: 1, total_tokens: 0, duration_ms: 0, error_count: 0 };
    const all = [
      hash(shell("ls")),
      hash(shell("ls -l")),
      hash(shell("ls"), { stats }),
      hash(shell("ls"), { workspace: "/w" }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

it("a decision becomes an event of the catalogue", () => {
  const schema = EVENTS["runtime.policy.decision"].data;
  const policy = rulesOf(
    { when: "event.payload.missing == 1", decide: "block" },
    { on: ["idle"], decide: "defer" },
  );
  for (const type of ["pre_action", "idle", "intent_detection", "planning"] as const) {
    const data = policyDecisionData(evaluatePolicy(policy, inputOf(someEvent(type))), 0.25);
    expect(schema.parse(data)).toEqual(data);
  }
  expect(policyDecisionData(evaluatePolicy(policy, inputOf(shell("ls"))), 0.25)).toEqual({
    subject: "pre_action",
    outcome: "block",
    reason: "Reason 0.",
    source: "rule:rule-0",
    tool_name: "shell",
    rule_id: "rule-0",
    rule_set_hash: policy.hash,
    input_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    elapsed_ms: 0.25,
    details: {
      matched: [{ rule_id: "rule-0", decision: "block", by: "error" }],
      errors: [{ rule_id: "rule-0", message: "No such key: missing" }],
    },
  });
});
