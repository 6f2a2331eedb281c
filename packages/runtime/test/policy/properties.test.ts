import { AHP_EVENTS, type AhpEvent, EVENT_TYPES, type EventType, GenericDecision } from "@fairlead/ahp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePolicy, evaluatePolicy, type PolicyInput, readCases, strictness } from "../../src/policy.ts";
import { compileCondition, evaluationMessage } from "../../src/domain/policy/cel/condition.ts";
import { ALWAYS, direct, NEVER } from "../../src/domain/policy/cel/direct.ts";
import { ENVIRONMENT } from "../../src/domain/policy/cel/environment.ts";
import { isQuiet } from "../../src/domain/policy/cel/quiet.ts";
import { type ActionView, contextOf } from "../../src/domain/policy/cel/views.ts";
import type { Policy } from "../../src/domain/policy/policy.ts";
import { canonicalJson, hashJson } from "../../src/domain/canonical.ts";
import { inputText } from "../../src/domain/policy/input-text.ts";
import { resolvePath, workspaceOf } from "../../src/domain/policy/action/places.ts";
import { DEFAULT_POLICIES, policyFiles } from "../../src/host/policy-files.ts";
import { decisionsOf } from "../../src/domain/policy/strictness.ts";
import { readShell } from "../../src/domain/policy/shell/commands.ts";
import { eventOf, inputOf } from "./support.ts";

const key = fc.constantFrom(
  "tool_name",
  "arguments",
  "command",
  "n",
  "list",
  "path",
  "constructor",
  "__proto__",
  "x",
);
const leaf = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("shell", "rm -rf /", "git push --force", "/etc/shadow", "../..", "3"),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.dictionary(key, tie("json"), { maxKeys: 5 }),
    fc.array(tie("json"), { maxLength: 4 }),
  ),
}));

const count = fc.nat(20);
const input: fc.Arbitrary<PolicyInput> = fc
  .record({
    type: fc.constantFrom(...EVENT_TYPES),
    payload: json,
    depth: fc.nat(4),
    metadata: fc.option(fc.dictionary(key, json), { nil: undefined }),
    stats: fc.record({ total_actions: count, total_tokens: count, duration_ms: count, error_count: count }),
    tools: fc.dictionary(key, count),
    workspace: fc.option(fc.constantFrom("/w/app", "/", "/etc", "relative"), { nil: undefined }),
  })
  .map(({ type, payload, depth, metadata, stats, tools, workspace }) =>
    inputOf(
      eventOf(payload, type, { depth, ...(metadata === undefined ? {} : { metadata }) } as Partial<AhpEvent>),
      {
        stats,
        history: { events: {}, tools, decisions: {} },
        ...(workspace === undefined ? {} : { workspace }),
      },
    ),
  );

const condition = fc.constantFrom(
  'event.payload.tool_name == "shell"',
  'event.payload.arguments.command.contains("push")',
  'has(event.payload.arguments) && event.payload.arguments.command.matches("rm +-rf")',
  "event.payload.n > 2",
  "event.payload.n + 1 > event.depth",
  "event.payload.list.exists(x, x == 3)",
  "event.depth > 1 || stats.error_count > 5",
  'history.tool("tool_name") > 3',
  "action.outside.size() > 0",
  'action.commands.exists(c, c.name == "rm" && c.flag("-r"))',
  "has(event.metadata.x)",
  'event.metadata.x == "3"',
);

/** A rule that fits its event types, as an object. */
const rule = fc
  .record({
    types: fc.uniqueArray(fc.constantFrom(...EVENT_TYPES), { minLength: 1, maxLength: 3 }),
    when: fc.option(condition, { nil: undefined }),
    pick: fc.nat(4),
    wait: fc.nat(100),
  })
  .map(({ types, when, pick, wait }) => {
    const shared = decisionsOf(types[0] as EventType).filter((name) =>
      types.every((type) => decisionsOf(type).includes(name)),
    );
    return {
      on: types,
      when,
      decide: shared[pick % Math.max(1, shared.length)] ?? "block",
      ...fields(types, shared[pick % Math.max(1, shared.length)], wait),
    };
  });

function fields(
  types: readonly EventType[],
  decide: string | undefined,
  wait: number,
): Record<string, unknown> {
  const all: Record<string, unknown> = {
    retry_after_ms: wait,
    injected_facts: [{ content: "c", source: "s", confidence: 1 }],
    injected_context: { facts: [] },
    scope_hints: ["x"],
    selected_strategy: "none",
    modified_task: "t",
    detected_intent: "i",
    confidence: 1,
  };
  const wanted = new Set(
    types.flatMap((type) => {
      const { options } = AHP_EVENTS[type].decision ?? GenericDecision;
      return options.flatMap(({ shape }) => (shape.decision.value === decide ? Object.keys(shape) : []));
    }),
  );
  const given = Object.entries(all).filter(([name]) => wanted.has(name));
  return {
    ...Object.fromEntries(given),
    ...(wanted.has("modified_payload") && decide === "modify" ? { patch: { x: wait } } : {}),
  };
}

const compiled = (rules: readonly object[]) =>
  compilePolicy([{ path: "r.yaml", text: JSON.stringify({ rules }) }]);

/** Rules that compile alone, less those that hide each other. */
const policy = fc.array(rule, { maxLength: 8 }).map((rules) => {
  const named = rules.map((one, i) => ({ id: `r${i}`, reason: `Reason ${i}.`, ...one }));
  let left = named.filter((one) => compiled([one]).ok);
  for (;;) {
    const result = compiled(left);
    if (result.ok) return result.policy;
    const gone = new Set(result.errors.map(({ message }) => message.split(" ")[0]));
    left = left.filter(({ id }) => !gone.has(id));
  }
});

describe("any rules on any input", () => {
  it("give a decision that the protocol accepts, never milder than a rule that matched, and the same one again", () => {
    fc.assert(
      fc.property(policy, input, (rules, given) => {
        const before = JSON.stringify(given);
        const outcome = evaluatePolicy(rules, given);
        expect(JSON.stringify(given)).toBe(before);
        expect(evaluatePolicy(rules, structuredClone(given))).toEqual(outcome);
        const type = given.event.event_type;
        if (outcome.kind === "unsupported") {
          expect(type).toBe("intent_detection");
          expect(outcome.matched).toEqual([]);
          return;
        }
        const schema = AHP_EVENTS[type].decision ?? GenericDecision;
        expect(schema.safeParse(outcome.decision)).toMatchObject({ success: true });
        for (const { decision } of outcome.matched) {
          expect(strictness(type, outcome.decision.decision)).toBeGreaterThanOrEqual(
            strictness(type, decision),
          );
        }
        for (const { rule_id } of outcome.errors)
          expect(rules.rules.some(({ id }) => id === rule_id)).toBe(true);
        if (outcome.rule_id !== null)
          expect(outcome.matched.map(({ rule_id }) => rule_id)).toContain(outcome.rule_id);
      }),
      { numRuns: 400 },
    );
  });
});

describe("the text of an input, which is hashed", () => {
  /** As runs of our own give it, so that every part of it is written in the quick way. */
  const usual = input.map(({ event, stats, budget, history }) => ({
    event: { ...event, context: { session_stats: stats } },
    stats,
    budget,
    history,
    workspace: "/w/app",
  }));
  const PLACES =
    "|event|event.context|event.context.session_stats|stats|budget|budget.used|budget.limits|history|history.tools".split(
      "|",
    );
  const KEYS =
    "x event stats budget history workspace believe_workspace used limits tools tokens cost_usd total_tokens context session_stats depth metadata payload agent_id event_type 10 9".split(
      " ",
    );
  /** Where something is put, left out or made something else. */
  const change = fc.record({
    at: fc.constantFrom(...PLACES),
    key: fc.constantFrom(...KEYS),
    value: fc.oneof(
      leaf,
      fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, 1e21, {}, "drop it"),
    ),
  });

  it("is the canonical JSON of it, whatever it has or lacks", () => {
    fc.assert(
      fc.property(fc.oneof(usual, input), fc.array(change, { maxLength: 3 }), (given, changes) => {
        const made = structuredClone(given) as unknown as Record<string, unknown>;
        for (const { at, key, value } of changes) {
          const steps = at === "" ? [] : at.split(".");
          const place = steps.reduce<unknown>((from, step) => (from as typeof made | null)?.[step], made);
          if (typeof place !== "object" || place === null) continue;
          if (value === "drop it") delete (place as typeof made)[key];
          else (place as typeof made)[key] = structuredClone(value);
        }
        expect(inputText(made as unknown as PolicyInput)).toBe(canonicalJson(made));
      }),
      { numRuns: 4_000 },
    );
  });

  it("is what outcomes are told apart by", () => {
    fc.assert(
      fc.property(policy, fc.oneof(usual, input), (rules, given) => {
        expect(evaluatePolicy(rules, given).input_hash).toBe(hashJson(given));
      }),
    );
  });
});

describe("any text as a rule file", () => {
  const line = fc.constantFrom(
    "rules:",
    "  - id: a",
    "    on: [pre_action]",
    "    when: event.depth > 1",
    "    when: |",
    "      evnt.x &&",
    "    decide: block",
    "    reason: x",
    "    patch: { a: &x 1, b: *x }",
    "    patch: { <<: { a: 1 } }",
    "defaults: { generic: block }",
    "---",
    "? [complex, key]",
    "!!binary aGVsbG8=",
    "\t- tab",
    "'",
    '"\\u00',
    "- - - - [ { ",
    "%YAML 9.9",
    "cases:",
    "  - name: x",
    "    command: ls",
    "    expect: { decision: allow }",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
    json.map((value) => JSON.stringify({ rules: value })),
    fc
      .record({ id: json, on: json, when: json, decide: json, patch: json, reason: json })
      .map((one) => JSON.stringify({ rules: [one] })),
  );

  it("is taken or refused with positions inside it; nothing is thrown", () => {
    fc.assert(
      fc.property(text, (given) => {
        const lines = given.split("\n");
        for (const read of [compilePolicy, readCases]) {
          const result = read([{ path: "f.yaml", text: given }]);
          if (result.ok) continue;
          expect(result.errors.length).toBeGreaterThan(0);
          for (const { file, line, column, message, hint } of result.errors) {
            expect(file).toBe("f.yaml");
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(lines.length);
            expect(column).toBeGreaterThanOrEqual(1);
            expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
            expect(message).not.toBe("");
            expect(hint).not.toBe("");
          }
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("is refused when it nests without end, is too large or has too much in it", () => {
    for (const given of [
      "[".repeat(100_000),
      "{a: ".repeat(50_000),
      "a: ".repeat(100_000),
      "x".repeat(1_000_001),
      `rules:\n${"  - \n".repeat(2_000)}`,
    ]) {
      expect(compilePolicy([{ path: "f.yaml", text: given }]).ok).toBe(false);
    }
    const deep = `${"(".repeat(5_000)}true${")".repeat(5_000)}`;
    const long = Array.from({ length: 3_000 }, () => "event.depth > 1").join(" && ");
    for (const when of [deep, long, "!".repeat(10_000) + "true"]) {
      expect(
        compilePolicy([
          {
            path: "f.yaml",
            text: JSON.stringify({ rules: [{ id: "a", on: ["idle"], when, decide: "defer" }] }),
          },
        ]).ok,
      ).toBe(false);
    }
  });

  it("any condition is compiled or refused", () => {
    const piece = fc.constantFrom(
      "event",
      ".payload",
      ".depth",
      "stats",
      ".x",
      " == ",
      " && ",
      " || ",
      "!",
      "(",
      ")",
      "1",
      "'a'",
      "[",
      "]",
      ".matches(",
      ".exists(c, ",
      "c",
      "has(",
      ",",
      " ",
      "\n",
      'r"\\',
      "?",
      ":",
      "{",
      "}",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const rule_ = { id: "a", on: ["idle"], when: pieces.join(""), decide: "defer" };
        const compiled = compilePolicy([{ path: "f.yaml", text: JSON.stringify({ rules: [rule_] }) }]);
        if (compiled.ok) evaluatePolicy(compiled.policy, inputOf(eventOf({ x: 1 }, "idle")));
        else expect(compiled.errors[0]?.line).toBe(1);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("conditions that are run directly", () => {
  const read = fc.constantFrom(
    "event.payload.tool_name",
    "event.payload.arguments.command",
    'event.payload["n"]',
    "event.payload.list",
    "event.depth",
    "event.agent_id",
    "event.metadata.x",
    "stats.error_count",
    "budget.used.tokens",
    "budget.limits.tokens",
    'history.tool("x")',
    "action.tool",
    "action.outside.size()",
    'action.paths.join("\\n")',
  );
  const test = fc.oneof(
    fc
      .tuple(read, fc.constantFrom("==", "!="), fc.constantFrom("3", "3.0", "'shell'", "true", "null"))
      .map((parts) => parts.join(" ")),
    fc
      .tuple(read, fc.constantFrom("<", "<=", ">", ">="), fc.constantFrom("0", "2", "2.5"))
      .map((parts) => parts.join(" ")),
    fc
      .tuple(
        read,
        fc.constantFrom(".contains('s')", ".startsWith('s')", ".endsWith('l')", ".matches('s.*l')"),
      )
      .map((parts) => parts.join("")),
    read.map((one) => `${one} in ['shell', '3']`),
    fc
      .constantFrom(
        "event.payload.tool_name",
        "event.payload.arguments.command",
        "event.metadata.x",
        "event.context",
        "budget.limits.tokens",
      )
      .map((one) => `has(${one})`),
    fc.constantFrom(
      "action.readable",
      "action.commands.exists(c, c.name == 'rm' && c.flag('-r', '--recursive'))",
      "action.commands.all(c, !c.computed)",
      "action.paths.exists(p, p.startsWith('/'))",
      "action.commands.exists(c, c.feeds(['sh']))",
    ),
  );
  const { whole } = fc.letrec<{ whole: string }>((tie) => ({
    whole: fc.oneof(
      { maxDepth: 3 },
      test,
      fc
        .tuple(tie("whole"), fc.constantFrom(" && ", " || "), tie("whole"))
        .map(([a, op, b]) => `(${a}${op}${b})`),
      tie("whole").map((one) => `!(${one})`),
    ),
  }));
  // The engine takes these names for something else and gives up; read directly they are ordinary keys.
  const plain = input.filter((given) => !/"(constructor|__proto__)"/.test(JSON.stringify(given)));

  it("mean what they mean in the engine", () => {
    let compared = 0;
    fc.assert(
      fc.property(whole, plain, (text, given) => {
        const parsed = ENVIRONMENT.parse(text);
        if (!parsed.check().valid) return;
        const ours = direct(parsed.ast);
        if (ours === undefined) return;
        compared += 1;
        const context = contextOf(given);
        expect({ text, result: attempt(() => ours(context)) }).toEqual({
          text,
          result: attempt(() => parsed(context) as unknown),
        });
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });

  it("mean the same on a quiet action as the whole condition, down to what an error says", () => {
    const engines = fc.constantFrom(
      "action.commands.exists(c, (c.line + c.input).contains('x'))",
      "action.urls.all(u, u + 'x' == 'yx')",
      "event.payload.n",
      "event.payload.n + 1 > 2",
      "action.text.matches('^$')",
      "action.text.matches('a')",
      "action.urls.exists(u, u.matches('a'))",
    );
    const { any } = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        whole,
        engines,
        fc
          .tuple(tie("any"), fc.constantFrom(" && ", " || "), tie("any"))
          .map(([a, op, b]) => `(${a}${op}${b})`),
        tie("any").map((one) => `!(${one})`),
      ),
    }));
    const seen = { known: 0, shorter: 0 };
    fc.assert(
      fc.property(any, plain, (text, given) => {
        const condition = compileCondition(text, [given.event.event_type]);
        const context = contextOf(given);
        if ("code" in condition || !isQuiet(context.action)) return;
        const { test: old, quiet } = condition;
        if (quiet === ALWAYS || quiet === NEVER) seen.known += 1;
        else if (quiet !== old) seen.shorter += 1;
        const told = (run: () => unknown) => attempt(run, evaluationMessage);
        expect({ text, result: told(() => quiet(context)) }).toEqual({
          text,
          result: told(() => old(context)),
        });
      }),
      { numRuns: 4_000 },
    );
    expect(seen.known).toBeGreaterThan(200);
    expect(seen.shorter).toBeGreaterThan(200);
  });

  function attempt(run: () => unknown, said: (error: unknown) => string = () => ""): unknown {
    try {
      return run();
    } catch (error) {
      return `error ${said(error)}`;
    }
  }
});

describe("rules that cannot match on a quiet action", () => {
  /** With each condition whole, and every rule asked. */
  const patient = (rules: Policy): Policy => {
    const whole = (type: EventType) =>
      rules.rulesOn(type).map((one) => {
        const { condition } = one;
        return condition === undefined ? one : { ...one, condition: { ...condition, quiet: condition.test } };
      });
    return { ...rules, rulesOn: whole, quietRulesOn: whole };
  };
  const args = fc.dictionary(
    fc.constantFrom("path", "file", "query", "sql", "command", "url", "part", "content", "cwd"),
    fc.oneof(
      leaf,
      fc.constantFrom("src/a.ts", ".env", "../x", "id_rsa", "drop table t", "https://webhook.site/x", "ls"),
    ),
    { maxKeys: 3 },
  );
  const call = fc
    .record({
      tool_name: fc.constantFrom("stock_of", "read_file", "sql_query", "fetch", "shell", "python"),
      arguments: args,
      tool_call_id: fc.constantFrom("call_1", ".env", "x"),
    })
    .map((payload) => inputOf(eventOf(payload, "pre_action"), { workspace: "/w/app" }));

  it("are all asked about one that cannot be read: those that stop it count as met then", () => {
    const broken = {
      get commands(): never {
        throw new Error("Not to be read.");
      },
    };
    expect(isQuiet(broken as unknown as ActionView)).toBe(false);
  });

  it("are left out without a difference, of any rules and of those that come along", async () => {
    const read = compilePolicy(await policyFiles({ directories: [DEFAULT_POLICIES] }).read());
    if (!read.ok) throw new Error("The rules that come along do not compile.");
    const ours = read.policy;
    expect(ours.quietRulesOn("pre_action").length).toBeLessThan(ours.rulesOn("pre_action").length / 3);
    let quiet = 0;
    fc.assert(
      fc.property(fc.oneof(fc.constant(ours), policy), fc.oneof(call, input), (rules, given) => {
        if (isQuiet(contextOf(given).action)) quiet += 1;
        expect(evaluatePolicy(rules, given)).toEqual(evaluatePolicy(patient(rules), given));
      }),
      { numRuns: 2_000 },
    );
    expect(quiet).toBeGreaterThan(500);
  });
});

describe("any text as a workspace", () => {
  it("is a place that stays where it is", () => {
    const part = fc.constantFrom("/", "c:", "C:\\", "\\", "~", ".", "..", "a", "home", "tmp", "etc", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const { root, home } = workspaceOf(parts.join(""));
        expect(resolvePath(".", root, home)).toBe(root);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("any text as a command", () => {
  const piece = fc.constantFrom(
    "rm",
    " -rf",
    " /",
    "'",
    '"',
    "`",
    "$(",
    ")",
    "${",
    "}",
    "{",
    ",",
    "|",
    "&",
    ";",
    "\n",
    "\\",
    "<<EOF\n",
    "EOF",
    "<(",
    ">",
    " ",
    "$'",
    "\\x41",
    "#",
    "if",
    " sh -c ",
    "eval ",
    "\u{1f600}",
    "\uE000",
  );
  it("is read without throwing, the same way each time", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
        (text) => {
          const first = readShell(text);
          expect(readShell(text)).toEqual(first);
          for (const { words, name } of first.commands) expect(words.length > 0 || name === "").toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });
  it.each([
    "$(",
    "`",
    "${x:-",
    "(",
    "{ ",
    "sh -c '",
    "a|",
    "cat <<E\n$(",
    "{a,",
    '"',
    "echo a|sh;",
    "a=$(b;",
    "<(",
    "\\",
    "{a,b}",
  ])("takes bounded time for a text full of %j", (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length));
    const started = performance.now();
    expect(readShell(text).readable).toBe(false);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
