import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, callJson, cli, makePlace, type Place } from "./support.ts";

const GOOD = `rules:
  - id: no-deploy
    on: [pre_action]
    when: action.tool == "deploy" && event.payload.arguments.target == "production"
    decide: escalate
    reason: Deployments need a person.
  - id: no-drop
    on: [pre_action]
    when: action.text.contains("drop")
    decide: block
    reason: No.
`;
const CASES = `cases:
  - name: deploys
    event: { event_type: pre_action, payload: { tool_name: deploy, arguments: { target: production } } }
    expect: { decision: escalate, rule: no-deploy }
  - name: looks around
    commands: [ls, pwd]
    expect: { decision: allow, rule: null }
`;

function placeWith(files: Record<string, string>): Place {
  const place = makePlace();
  mkdirSync(join(place.cwd, "policies"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.cwd, "policies", name), text);
  return place;
}

describe("policy check", () => {
  test("says that rules are good, and which they are", async () => {
    const place = placeWith({ "a.yaml": GOOD, "a.test.yaml": CASES });
    expect(await call(place, ["policy", "check"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("ok: 2 rules in 1 files") as string,
    });
    expect(await callJson(place, ["policy", "check", "policies"])).toMatchObject({
      ok: true,
      rules: 2,
      files: [join("policies", "a.yaml")],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test("shows each mistake with its line and a mark below it", async () => {
    const place = placeWith({
      "a.yaml": GOOD.replace("action.tool ==", "actoin.tool ==").replace("decide: block", "decide: blok"),
    });
    const { code, stdout, stderr } = await call(place, ["policy", "check"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`policies/a.yaml:4:11 There is no actoin. (unknown_name)
    4 |     when: actoin.tool == "deploy" && event.payload.arguments.target == "production"
      |           ^
  Did you mean action?

policies/a.yaml:10:13 pre_action has no decision blok; it has allow, modify, defer, escalate, block. (bad_decision)
   10 |     decide: blok
      |             ^
  Did you mean block?
`);
    expect(stderr).toContain("policies/a.yaml:4:11");
    const json = await call(place, ["policy", "check", "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      errors: [
        { line: 4, column: 11 },
        { line: 10, column: 13 },
      ],
    });
    expect(JSON.parse(json.stderr)).toMatchObject({ code: "config", hint: "Did you mean action?" });
  });

  test("without rules of one's own looks at those that come along", async () => {
    expect(await callJson(makePlace(), ["policy", "check"])).toMatchObject({
      ok: true,
      rules: expect.any(Number) as number,
    });
  });

  test("looks where the configuration says", async () => {
    const place = placeWith({ "a.yaml": "rules: [" });
    mkdirSync(join(place.cwd, "other"));
    writeFileSync(join(place.cwd, "other", "b.yaml"), GOOD);
    writeFileSync(join(place.cwd, "fairlead.yaml"), "policies: other\n");
    expect(await callJson(place, ["policy", "check"])).toMatchObject({
      ok: true,
      files: [join("other", "b.yaml")],
    });
  });

  test.each([["nowhere"], ["."]])("ends with 1 for a directory without rules: %s", async (dir) => {
    const { code, stderr } = await call(makePlace(), ["policy", "check", dir]);
    expect(code).toBe(1);
    expect(stderr).toContain("Name a directory with rule files in it.");
  });
});

describe("policy test", () => {
  test("runs the cases, and names rules that none of them reaches", async () => {
    const place = placeWith({ "a.yaml": GOOD, "a.test.yaml": CASES });
    const { code, stdout, stderr } = await call(place, ["policy", "test"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "ok: 3 of 3 cases hold.\n" });
    expect(stderr).toContain("No case is decided by no-drop.");
  });

  test("ends with 1 when one does not hold, and says what came instead", async () => {
    const place = placeWith({
      "a.yaml": GOOD,
      "a.test.yaml": CASES.replace("decision: escalate", "decision: block"),
    });
    const { code, stdout, stderr } = await call(place, ["policy", "test"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "fail policies/a.test.yaml:2 deploys\n     Expected block, got escalate from no-deploy.",
    );
    expect(stdout).toContain("2 of 3 cases hold.");
    expect(stderr).toContain("1 of 3 cases do not hold");
    const json = await call(place, ["policy", "test", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      cases: 3,
      failed: [{ name: "deploys", got: { rule: "no-deploy" } }],
    });
  });

  test("says where a case is wrong", async () => {
    const place = placeWith({
      "a.yaml": GOOD,
      "a.test.yaml": CASES.replace("expect: { decision: escalate", "expekt: { decision: escalate"),
    });
    const { code, stdout } = await call(place, ["policy", "test"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/a\.test\.yaml:\d+:\d+ .*\n.*\n.*\^/);
  });

  test("holds for the rules that come along", async () => {
    const { code, stdout } = await call(makePlace(), ["policy", "test"]);
    expect({ code, ok: stdout.startsWith("ok: ") }).toEqual({ code: 0, ok: true });
  });
});

describe("policy explain", () => {
  const event = {
    event_type: "pre_action",
    payload: { tool_name: "deploy", arguments: { target: "production" } },
  };

  test("says what is decided, by which rule and why", async () => {
    const place = placeWith({ "a.yaml": GOOD });
    writeFileSync(join(place.cwd, "event.json"), JSON.stringify(event));
    const { code, stdout, stderr } = await call(place, ["policy", "explain", "event.json"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "pre_action deploy: escalate\n  Deployments need a person.\n  Rule no-deploy decides.",
    );
    expect(stdout).toContain("policies/a.yaml:2");
    expect(stderr).toMatch(/2 of 2 rules look at pre_action; [\d.]+ ms/);
    expect(await callJson(place, ["policy", "explain", "event.json"])).toMatchObject({
      kind: "decided",
      decision: { decision: "escalate" },
      rule_id: "no-deploy",
      rules: [{ id: "no-deploy", decides: true, by: "condition" }],
      elapsed_ms: expect.any(Number) as number,
      input_hash: expect.any(String) as string,
    });
  });

  test("reads the event from standard input, as the message that carries it", async () => {
    const place = placeWith({ "a.yaml": GOOD });
    const message = { jsonrpc: "2.0", id: "1", method: "ahp/event", params: event };
    const { code, stdout } = await cli(place, ["policy", "explain", "-"], { stdin: JSON.stringify(message) });
    expect({ code, decided: stdout.includes("Rule no-deploy decides.") }).toEqual({ code: 0, decided: true });
  });

  test("shows a condition that could not be evaluated, and that it counts", async () => {
    const place = placeWith({ "a.yaml": GOOD.replace('action.tool == "deploy" && ', "") });
    writeFileSync(join(place.cwd, "event.json"), JSON.stringify({ event_type: "pre_action", payload: {} }));
    const { stdout } = await call(place, ["policy", "explain", "event.json"]);
    expect(stdout).toContain("could not be evaluated, so it counts");
    expect(stdout).toContain("error no-deploy No such key: arguments");
  });

  test.each([
    ["not json", "{"],
    ["no event", "[]"],
    ["no event type", '{"event_type":"pre_act","payload":1}'],
  ])("ends with 2 for %s", async (_, text) => {
    const place = placeWith({ "a.yaml": GOOD });
    writeFileSync(join(place.cwd, "event.json"), text);
    expect((await call(place, ["policy", "explain", "event.json"])).code).toBe(2);
  });
});

describe("the rules of a directory", () => {
  const BLOCKS = `rules:
  - id: no-models
    on: [pre_prompt]
    decide: block
    reason: Nobody asks a model here.
`;

  test("hold for a turn that runs without a server", async () => {
    const place = placeWith({ "a.yaml": BLOCKS });
    const { stdout } = await call(place, ["run", "What can you do?", "--json"]);
    expect(stdout).toContain("Nobody asks a model here.");
  });

  test("that cannot be read let nothing run", async () => {
    const place = placeWith({ "a.yaml": BLOCKS.replace("decide: block", "decide: blok") });
    const { code, stderr } = await call(place, ["run", "What can you do?"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("blok");
  });
});
