import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import {
  compilePolicy,
  DEFAULT_POLICIES,
  evaluatePolicy,
  isCaseFile,
  isRuleFile,
  type Policy,
  type PolicyCase,
  policyPaths,
  readCases,
  runCase,
} from "../../src/policy.ts";
import { eventOf, inputOf } from "./support.ts";

const read = (wanted: (name: string) => boolean) =>
  policyPaths([DEFAULT_POLICIES], wanted).map((path) => ({ path, text: readFileSync(path, "utf8") }));

describe("the rules that come along", () => {
  let policy: Policy;
  let cases: readonly PolicyCase[];
  beforeAll(() => {
    const compiled = compilePolicy(read(isRuleFile));
    const found = readCases(read(isCaseFile));
    if (!compiled.ok || !found.ok) throw new Error(JSON.stringify([compiled, found]));
    ({ policy } = compiled);
    ({ cases } = found);
  });

  it("decide every case as it says, without an error", () => {
    const results = cases.map((one) => runCase(policy, one));
    expect(results.length).toBeGreaterThan(500);
    expect(
      results.filter(({ wrong }) => wrong.length > 0).map(({ case: one, wrong }) => [one.name, ...wrong]),
    ).toEqual([]);
    expect(results.flatMap(({ outcome }) => outcome.errors)).toEqual([]);
  });

  it("are explained, give a reason, and each decides some case", () => {
    const deciders = new Set(cases.map((one) => runCase(policy, one).outcome.rule_id));
    for (const { id, description, reason } of policy.rules) {
      expect(description?.length, id).toBeGreaterThan(40);
      expect(reason?.length, id).toBeGreaterThan(10);
      // This one is the net below the others: what it catches is mostly caught by a more precise one too.
      if (id !== "delete-on-windows") expect(deciders, id).toContain(id);
    }
  });

  it("have nothing to say about other event types", () => {
    for (const type of ["pre_prompt", "idle", "planning", "post_action", "confirmation"] as const) {
      expect(evaluatePolicy(policy, inputOf(eventOf({ text: "rm -rf /" }, type)))).toMatchObject({
        rule_id: null,
        matched: [],
      });
    }
  });

  it.each([
    ["null", null],
    ["a list", [1, 2]],
    ["a text", "rm -rf /"],
    ["arguments that are no object", { tool_name: "read", arguments: 7 }],
    ["a name that is none", { tool_name: { a: 1 }, arguments: { command: "ls" } }],
    ["a command that is none", { tool_name: "shell", arguments: { command: { a: 1 } } }],
    ["a query that is none", { tool_name: "read", arguments: { path: 1, sql: "SELECT 1" } }],
  ])("can read a payload that is %s", (_, payload) => {
    expect(evaluatePolicy(policy, inputOf(eventOf(payload)))).toMatchObject({ errors: [] });
  });

  it.each([
    ["one long word", "a".repeat(60_000)],
    ["many words", "a/b ".repeat(15_000)],
    ["many commands", "cat a | grep b; ".repeat(4_000)],
    ["many paths to secrets, almost", "cat /etc/shado .ss/id_rs .en; ".repeat(2_000)],
    ["many brackets", "$(".repeat(30_000)],
    ["a megabyte", "rm -rf / ".repeat(120_000)],
  ])("judge %s in bounded time", (_, command) => {
    const event = eventOf({ tool_name: "shell", arguments: { command } });
    const started = performance.now();
    const outcome = evaluatePolicy(policy, inputOf(event, { workspace: "/home/ada/app" }));
    expect(performance.now() - started).toBeLessThan(5_000);
    if (command.includes("rm -rf /")) expect(outcome).toMatchObject({ decision: { decision: "block" } });
  });
});
