import { describe, expect, it } from "vitest";
import { compilePolicy } from "../../src/policy.ts";
import { compile, policyOf } from "./support.ts";

/** A file with one mistake, marked by ‸ in front of the place that must be named. */
const WRONG: Record<string, readonly [code: string, text: string]> = {
  "YAML that ends early": ["not_yaml", "rules: [{ id: a‸"],
  "a key twice": ["not_yaml", "rules: []\n‸rules: []\n"],
  "an alias": ["not_yaml", "rules:\n  - &a { id: a, on: [idle], decide: allow }\n  - ‸*a\n"],
  "a file with nothing in it": ["bad_format", "‸"],
  "rules that are no list": ["bad_format", "rules: ‸yes\n"],
  "an unknown key of the file": ["unknown_key", "‸rulez: []\nrules: []\n"],
  "an unknown default": ["bad_format", "defaults: { generic: ‸perhaps }\nrules: []\n"],
  "an unknown key of a rule": [
    "unknown_key",
    "rules:\n  - id: a\n    on: [idle]\n    ‸wen: 'true'\n    decide: allow\n",
  ],
  "an id that is none": ["bad_format", "rules:\n  - id: ‸No Force Push\n    on: [idle]\n    decide: allow\n"],
  "a rule without an id": ["bad_format", "rules:\n  - ‸on: [idle]\n    decide: allow\n"],
  "an unknown event type": ["bad_format", "rules:\n  - { id: a, on: [idle, ‸pre_acton], decide: allow }\n"],
  "no event type": ["bad_format", "rules:\n  - { id: a, on: ‸[], decide: allow }\n"],
  "an unknown decision": ["bad_decision", "rules:\n  - { id: a, on: [idle], decide: ‸blok }\n"],
  "another type's decision": [
    "bad_decision",
    "rules:\n  - { id: a, on: [planning], decide: ‸escalate, reason: x }\n",
  ],
  "a block without a reason": ["bad_decision", "rules:\n  - ‸{ id: a, on: [pre_action], decide: block }\n"],
  "a defer without a time": ["bad_decision", "rules:\n  - ‸{ id: a, on: [pre_action], decide: defer }\n"],
  "a modify without a patch": ["bad_decision", "rules:\n  - ‸{ id: a, on: [pre_action], decide: modify }\n"],
  "a patch that goes nowhere": [
    "bad_decision",
    "rules:\n  - { id: a, on: [idle], decide: allow, ‸patch: {} }\n",
  ],
  "a field of another decision": [
    "bad_decision",
    "rules:\n  - { id: a, on: [idle], decide: allow, ‸retry_after_ms: 3 }\n",
  ],
  "a field of a wrong type": [
    "bad_decision",
    "rules:\n  - { id: a, on: [pre_action], decide: defer, retry_after_ms: ‸soon }\n",
  ],
  "an unknown key deep in a decision": [
    "unknown_key",
    "rules:\n  - id: a\n    on: [memory_recall]\n    decide: allow\n    injected_facts:\n      - { content: x, source: y, confidence: 1, ‸sure: yes }\n",
  ],
  "a number that JSON has not": [
    "bad_format",
    "rules:\n  - { id: a, on: [pre_action], decide: modify, patch: { n: ‸.inf } }\n",
  ],
  "a condition that is no CEL": [
    "bad_condition",
    "rules:\n  - { id: a, on: [idle], when: '1 +‸', decide: allow }\n",
  ],
  "a condition that is not true or false": [
    "bad_type",
    "rules:\n  - { id: a, on: [idle], when: ‸event.agent_id, decide: allow }\n",
  ],
  "an unknown name": [
    "unknown_name",
    "rules:\n  - { id: a, on: [idle], when: 'true && ‸evnt.depth > 1', decide: allow }\n",
  ],
  "an unknown field": [
    "unknown_field",
    "rules:\n  - { id: a, on: [idle], when: event.‸dept > 1, decide: allow }\n",
  ],
  "an unknown field in has": [
    "unknown_field",
    "rules:\n  - { id: a, on: [pre_action], when: has(event.‸payloda), decide: allow }\n",
  ],
  "an unknown field of a payload with a schema": [
    "unknown_field",
    "rules:\n  - { id: a, on: [rate_limit], when: event.payload.‸limit > 1, decide: queue }\n",
  ],
  "an unknown field of the context": [
    "unknown_field",
    "rules:\n  - { id: a, on: [pre_action], when: event.context.‸task == 'x', decide: allow }\n",
  ],
  "an unknown statistic": [
    "unknown_field",
    "rules:\n  - { id: a, on: [idle], when: stats.‸errors > 1, decide: allow }\n",
  ],
  "an unknown amount": [
    "unknown_field",
    "rules:\n  - { id: a, on: [idle], when: budget.used.‸tokns > 1, decide: allow }\n",
  ],
  "an unknown count": [
    "bad_type",
    "rules:\n  - { id: a, on: [idle], when: ‸history.toll('x') > 1, decide: allow }\n",
  ],
  "an unknown field of a command": [
    "unknown_field",
    "rules:\n  - { id: a, on: [pre_action], when: 'action.commands.exists(c, c.‸nam == ''rm'')', decide: allow }\n",
  ],
  "types that do not go together": [
    "bad_type",
    "rules:\n  - { id: a, on: [idle], when: ‸event.depth > 'x', decide: allow }\n",
  ],
  "a pattern that RE2 has not": [
    "bad_pattern",
    "rules:\n  - { id: a, on: [pre_action], when: 'action.text.matches(‸\"(?=x)\")', decide: allow }\n",
  ],
  "a pattern that an agent could choose": [
    "bad_pattern",
    "rules:\n  - { id: a, on: [pre_action], when: '\"x\".matches(event.payload.‸pattern)', decide: allow }\n",
  ],
  "a loop inside a loop": [
    "nested_loop",
    "rules:\n  - { id: a, on: [pre_action], when: 'event.payload.a.all(x, ‸event.payload.b.exists(y, x == y))', decide: allow }\n",
  ],
  "a loop that hides a name": [
    "bad_condition",
    "rules:\n  - { id: a, on: [pre_action], when: 'event.payload.a.all(‸event, true)', decide: allow }\n",
  ],
  "a wrong expression in a patch": [
    "unknown_name",
    "rules:\n  - { id: a, on: [pre_action], decide: modify, patch: { x: { cel: ‸evnt.depth } } }\n",
  ],
  "a condition in a block, second line": [
    "unknown_name",
    "rules:\n  - id: a\n    on: [idle]\n    when: |\n      event.depth > 1 &&\n        ‸evnt.depth > 2\n    decide: allow\n",
  ],
  "a condition that is folded": [
    "unknown_name",
    "rules:\n  - id: a\n    on: [idle]\n    when: >-\n      event.depth > 1\n      && ‸evnt.depth > 2\n    decide: allow\n",
  ],
  "a plain condition over two lines": [
    "unknown_name",
    "rules:\n  - id: a\n    on: [idle]\n    when: event.depth > 1\n      && ‸evnt.depth > 2\n    decide: allow\n",
  ],
  "a condition with escapes": [
    "unknown_name",
    'rules:\n  - id: a\n    on: [idle]\n    when: "event.agent_id == \\"\\x61\\" && ‸evnt.depth > 2"\n    decide: allow\n',
  ],
  "a condition with doubled quotes": [
    "unknown_name",
    "rules:\n  - id: a\n    on: [idle]\n    when: 'event.agent_id == ''a'' && ‸evnt.depth > 2'\n    decide: allow\n",
  ],
  "an id twice": [
    "duplicate_id",
    "rules:\n  - { id: a, on: [idle], decide: allow }\n  - { id: ‸a, on: [idle], decide: defer }\n",
  ],
  "a condition that is never true": [
    "never_matches",
    "rules:\n  - { id: a, on: [idle], when: ‸false, decide: allow }\n",
  ],
  "a rule behind one that always blocks": [
    "shadowed",
    "rules:\n  - { id: a, on: [pre_action], decide: block, reason: x }\n  - { id: ‸b, on: [pre_action], when: event.depth > 1, decide: allow }\n",
  ],
};

describe("a rule file is refused, with line and column, for", () => {
  it.each(Object.entries(WRONG))("%s", (_, [code, marked]) => {
    const before = marked.slice(0, marked.indexOf("‸")).split("\n");
    const compiled = compile(marked.replace("‸", ""));
    expect(compiled).toMatchObject({ ok: false });
    if (compiled.ok) return;
    const [error] = compiled.errors;
    expect(error).toMatchObject({
      file: "rules.yaml",
      code,
      line: before.length,
      column: (before.at(-1) ?? "").length + 1,
    });
    expect(error?.message).not.toBe("");
    expect(error?.hint).not.toBe("");
  });

  it("everything that is wrong in it, not only the first", () => {
    const compiled = compile(
      "rules:\n  - { id: a, on: [idle], decide: blok }\n  - { id: b, on: [idle], when: x, decide: allow }\n",
    );
    expect(compiled.ok ? [] : compiled.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, "bad_decision"],
      [3, "unknown_name"],
    ]);
  });

  it("says what was probably meant", () => {
    const compiled = compile("rules:\n  - { id: a, on: [pre_acton], decide: allow }\n");
    expect(compiled.ok ? "" : compiled.errors[0]?.hint).toBe("Did you mean pre_action?");
  });
});

describe("a rule that can never decide", () => {
  const compiledRules = (...rules: string[]) =>
    compile(`rules:\n${rules.map((rule, i) => `  - { id: r${i}, reason: x, ${rule} }\n`).join("")}`);
  const hidden = (...rules: string[]) => {
    const compiled = compiledRules(...rules);
    return compiled.ok ? [] : compiled.errors.map(({ message }) => message.split(" ")[0]);
  };
  const cond = (text: string) => `when: ${JSON.stringify(text)}`;

  it("is found, whichever comes first in the file", () => {
    expect(hidden("on: [pre_action], decide: allow", "on: [pre_action], decide: block")).toEqual(["r0"]);
  });
  it("is found when the same condition decides something stricter", () => {
    expect(
      hidden(
        `on: [pre_action], ${cond("event.depth > 1")}, decide: escalate`,
        `on: [pre_action], ${cond("event.depth>1")}, decide: block`,
      ),
    ).toEqual(["r0"]);
  });
  it("is found when it asks for more than a stricter one", () => {
    expect(
      hidden(
        `on: [pre_action], ${cond('event.depth > 1 && action.tool == "x"')}, decide: escalate`,
        `on: [pre_action], ${cond("event.depth > 1 || event.depth == 0")}, decide: block`,
      ),
    ).toEqual(["r0"]);
  });
  it("is found when all of its event types are taken, by different rules", () => {
    expect(
      hidden(
        "on: [pre_action], decide: block",
        "on: [pre_prompt], decide: block",
        "on: [pre_action, pre_prompt], decide: escalate",
      ),
    ).toEqual(["r2"]);
  });
  it("is found when an earlier one says the same", () => {
    expect(hidden("on: [pre_action], decide: block", "on: [pre_action], decide: block")).toEqual(["r1"]);
  });
  it.each([
    [
      "one of its types is free",
      "on: [pre_action], decide: block",
      "on: [pre_action, pre_prompt], decide: escalate",
    ],
    [
      "the stricter one asks for more",
      `on: [pre_action], ${cond("event.depth > 1")}, decide: block`,
      "on: [pre_action], decide: escalate",
    ],
    [
      "the conditions differ",
      `on: [pre_action], ${cond("event.depth > 1")}, decide: block`,
      `on: [pre_action], ${cond("event.depth > 2")}, decide: escalate`,
    ],
    [
      "the answers add up",
      "on: [pre_action], decide: modify, patch: { a: 1 }",
      "on: [pre_action], decide: modify, patch: { b: 1 }",
    ],
    [
      "it is the stricter one",
      `on: [pre_action], ${cond("event.depth > 1")}, decide: allow`,
      `on: [pre_action], ${cond("event.depth > 1")}, decide: block`,
      1,
    ],
  ])("is not claimed when %s", (_, first, second, shadows = 0) => {
    expect(hidden(first, second)).toHaveLength(shadows);
  });
});

describe("the hash of a rule set", () => {
  const text = "rules:\n  - { id: a, on: [pre_action], when: event.depth > 1, decide: block, reason: No. }\n";

  it("is the same for the same rules, whatever their layout, comments and descriptions", () => {
    const other =
      "# why\nrules:\n- description: because\n  id: a\n  reason: 'No.'\n  decide: block\n  on:\n    - pre_action\n  when: >-\n    event.depth > 1\n";
    expect(policyOf(other).hash).toBe(policyOf(text).hash);
    expect(policyOf(text).hash).toMatch(/^[0-9a-f]{64}$/);
  });
  it("does not change between versions of this program", () => {
    expect(policyOf(text).hash).toBe("c56c9645059f0b4e2c42f9024907d2e680379c812837bbfb889c78993ec76f42");
  });
  it.each([
    ["a condition", text.replace("> 1", "> 2")],
    ["a decision", text.replace("block", "escalate")],
    ["a reason", text.replace("No.", "Never.")],
    ["a default", `defaults: { generic: block }\n${text}`],
    ["one rule more", `${text}  - { id: b, on: [idle], decide: defer }\n`],
  ])("changes with %s", (_, other) => {
    expect(policyOf(other).hash).not.toBe(policyOf(text).hash);
  });
  it("takes files in the order of their paths", () => {
    const a = { path: "a.yaml", text: "rules: [{ id: a, on: [idle], decide: defer }]" };
    const b = {
      path: "b.yaml",
      text: "rules: [{ id: b, on: [idle], when: event.depth > 1, decide: allow }]",
    };
    const [one, two] = [compilePolicy([a, b]), compilePolicy([b, a])];
    expect(one.ok || one.errors[0]?.code).toBe("shadowed");
    const c = { ...a, text: a.text.replace("decide: defer", "when: event.depth > 3, decide: defer") };
    const [three, four] = [compilePolicy([c, b]), compilePolicy([b, c])];
    expect(three.ok && four.ok && three.policy.hash === four.policy.hash).toBe(true);
    expect(two.ok).toBe(false);
  });
  it("refuses defaults that contradict each other", () => {
    const compiled = compilePolicy([
      { path: "a.yaml", text: "defaults: { generic: block }\nrules: []" },
      { path: "b.yaml", text: "defaults: { generic: allow }\nrules: []" },
    ]);
    expect(compiled.ok ? [] : compiled.errors).toMatchObject([
      { file: "b.yaml", line: 1, column: 22, code: "conflicting_default" },
    ]);
  });
});
