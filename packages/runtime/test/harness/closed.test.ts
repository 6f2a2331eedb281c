import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inProcess } from "@fairlead/ahp";
import { describe, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../src/domain/actor.ts";
import { compilePolicy } from "../../src/domain/policy/compile.ts";
import { budgetSpent, ownControls } from "../../src/domain/supervision/guards.ts";
import { loadConfig, openHarness, openSupervision } from "../../src/harness.ts";
import { realFrom } from "../../src/host/workspace.ts";
import type { Supervisor } from "../../src/ports/supervisor.ts";
import type { Rules } from "../../src/services/supervision/rules.ts";
import { action, dataOf, RULES, rulesOf, type Stand, stand, tempDir } from "./support.ts";

const local = (place: Stand, name = "bot") => inProcess(place.harness.server, place.harness.local(name));

function saying(answer: unknown, more: Partial<Supervisor> = {}): Supervisor {
  return {
    name: "guard",
    on: ["pre_action", "pre_prompt"],
    timeoutMs: 500,
    onFailure: "block",
    decide: () => Promise.resolve(answer),
    close: () => Promise.resolve(),
    ...more,
  };
}

const NO_PUSH = `
rules:
  - { id: no-push, on: [pre_action], when: 'event.payload.tool_name == "push"', decide: block, reason: Frozen. }
`;

/** Rules that a test can change. */
function reloadable(text: string): Rules & { load(text: string): void } {
  let now = rulesOf(text);
  return {
    get hash() {
      return now.hash;
    },
    get count() {
      return now.count;
    },
    covers: (type) => now.covers(type),
    judge: (input) => now.judge(input),
    load: (next) => void (now = rulesOf(next)),
  };
}

function countOf(answers: readonly { readonly decision: string }[], decision: string): number {
  return answers.filter((answer) => answer.decision === decision).length;
}

describe("a change that does not say to what", () => {
  test.each([null, undefined])("is no answer: %s blocks, and the log says why", async (modified_payload) => {
    const place = await stand({ supervisors: [saying({ decision: "modify", modified_payload })] });
    const agent = await place.agent(local(place));
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
    const answers = dataOf(await place.events("s1"), "runtime.supervision.answered");
    expect(answers[0]).toMatchObject({ supervisor: "guard", source: "invalid" });
  });
});

describe("rules that were changed while a person thought", () => {
  test.each([{ decision: "approved" }, { decision: "edited", edited: { to: "main" } }])(
    "block what was $decision, and the yes is not used up",
    async (body) => {
      const rules = reloadable(RULES);
      const place = await stand({ rules });
      const agent = await place.agent(local(place));
      const held = agent.decide("pre_action", action("push"));
      const question = await place.pending();
      rules.load(NO_PUSH);
      await place.decide(question, body);
      expect(await held).toEqual({ decision: "block", reason: "Frozen." });
      const answered = dataOf(await place.events("s1"), "runtime.supervision.answered").at(-1);
      expect(answered).toMatchObject({ source: "rules", decided_by: "rule:no-push" });
      const held_ = dataOf(await place.events("s1"), "runtime.supervision.held");
      expect(held_.map(({ state }) => state)).toEqual(["waiting"]);
    },
  );

  test("change what was approved: a person is asked about what would run now", async () => {
    const rules = reloadable(RULES);
    const place = await stand({ rules });
    const agent = await place.agent(local(place));
    const held = agent.decide("pre_action", action("push"));
    const question = await place.pending();
    rules.load(`
rules:
  - { id: dry, on: [pre_action], when: 'event.payload.tool_name == "push"', decide: modify, patch: { arguments: { dry: true } } }
`);
    await place.decide(question, { decision: "approved" });
    expect(await held).toEqual({ decision: "modify", modified_payload: action("push", { dry: true }) });
  });
});

describe("a limit", () => {
  const CAP = `
rules:
  - { id: cap, on: [pre_action], when: 'budget.share.actions >= 1.0', decide: block, reason: Spent. }
`;
  const harness = { limits: { budget: { actions: 3 } } };
  const many = (n: number) => Array.from({ length: n }, (_, i) => action("t", { i }));

  test("of actions holds in a batch and for many at once", async () => {
    const place = await stand({ rules: CAP, harness });
    const [one, two] = [
      await place.agent(local(place)),
      await place.agent(local(place), { sessionId: "s2" }),
    ];
    const batch = await one.batch(many(100).map((payload) => ({ type: "pre_action" as const, payload })));
    expect(countOf(batch, "allow")).toBe(3);
    const atOnce = await Promise.all(many(300).map((payload) => two.decide("pre_action", payload)));
    expect(countOf(atOnce, "allow")).toBe(3);
  });

  test("of actions holds with a supervisor between, and what it refuses does not count", async () => {
    let asked = 0;
    const decide = () =>
      Promise.resolve(asked++ < 2 ? { decision: "block", reason: "No." } : { decision: "allow" });
    const place = await stand({ rules: CAP, harness, supervisors: [saying(null, { decide })] });
    const agent = await place.agent(local(place));
    const first = await Promise.all(many(50).map((payload) => agent.decide("pre_action", payload)));
    expect(countOf(first, "allow")).toBe(1);
    const second = await Promise.all(many(50).map((payload) => agent.decide("pre_action", payload)));
    expect(countOf(second, "allow")).toBe(2);
  });

  test("of actions holds for what people approve", async () => {
    const rules = `${CAP}  - { id: ask, on: [pre_action], when: "true", decide: escalate, reason: Ask. }\n`;
    const place = await stand({ rules, harness });
    const agent = await place.agent(local(place));
    const held = many(6).map((payload) => agent.decide("pre_action", payload));
    const { questions } = place.runtime.services;
    const all = async () => (await questions.list(SYSTEM_ACTOR, { state: "pending" })).rows;
    await expect.poll(async () => (await all()).length).toBe(6);
    const rows = await all();
    await Promise.all(
      rows.map(({ request_id }) => questions.decide(SYSTEM_ACTOR, request_id, { decision: "approved" })),
    );
    expect(countOf(await Promise.all(held), "allow")).toBe(3);
  });

  test("of one tool holds after more names than are counted apart", async () => {
    const place = await stand({
      rules: `
rules:
  - { id: cap, on: [pre_action], when: 'history.tool("deploy") >= 2', decide: block, reason: Enough. }
`,
    });
    const agent = await place.agent(local(place));
    for (let i = 0; i < 200; i++) await agent.decide("pre_action", action(`t${i}`));
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await agent.decide("pre_action", action("deploy")));
    expect(countOf(answers, "allow")).toBeLessThanOrEqual(2);
  });
});

describe("a budget by itself", () => {
  test("blocks when it is spent, whatever the rules say, and the log names the guard", async () => {
    const place = await stand({
      rules: "rules: []",
      harness: { limits: { budget: { actions: 2, tokens: 10 } } },
    });
    const agent = await place.agent(local(place));
    const ask = () => agent.decide("pre_action", action("ls"));
    expect([await ask(), await ask()].map(({ decision }) => decision)).toEqual(["allow", "allow"]);
    expect(await ask()).toEqual({ decision: "block", reason: "The session's budget is spent: actions." });
    expect(await agent.decide("pre_prompt", { prompt: "p" })).toEqual({ decision: "allow" });
    agent.notify("post_response", { usage: { total_tokens: 11 } });
    await expect
      .poll(() => agent.decide("pre_prompt", { prompt: "p" }))
      .toMatchObject({ decision: "block", reason: "The session's budget is spent: tokens." });
    const rulings = dataOf(await place.events("s1"), "runtime.policy.decision");
    expect(rulings).toContainEqual(
      expect.objectContaining({ rule_id: "builtin:budget-spent", outcome: "block", subject: "pre_action" }),
    );
  });
});

describe("what an agent is supervised with", () => {
  async function guarded() {
    const workspace = join(tempDir(), "project");
    const controls = [
      join(workspace, "policies"),
      join(workspace, "fairlead.yaml"),
      join(workspace, ".fairlead"),
    ];
    mkdirSync(join(workspace, "policies"), { recursive: true });
    symlinkSync(join(workspace, "policies"), join(workspace, "innocent"));
    const real = realFrom(workspace, "/home/nobody");
    const place = await stand({
      rules: "rules: []",
      harness: { workspace, timeoutMs: 200 },
      guards: [budgetSpent, ownControls({ paths: controls, real })],
    });
    return { workspace, place, agent: await place.agent(local(place)) };
  }

  test("is not touched without a person, by whatever way", async () => {
    const { workspace, place, agent } = await guarded();
    const shell = (command: string) => action("shell", { command });
    for (const payload of [
      action("write_file", { path: "policies/all.yaml", content: "rules: []" }),
      action("write_file", { path: join(workspace, "x/../fairlead.yaml"), content: "" }),
      action("write_file", { path: "innocent/all.yaml", content: "" }),
      shell("rm -rf .fairlead"),
      shell("cd policies && rm all.yaml"),
      shell("sed -i s/block/allow/ pol*/all.yaml"),
      shell("echo > fairlead.ya?l"),
      shell("eval $(printf 'rm fairlead.yaml')"),
      shell(`python3 -c "open('policies/all.yaml', 'w')"`),
    ]) {
      const { decision } = await agent.decide("pre_action", payload);
      expect(decision, JSON.stringify(payload)).toBe("defer");
    }
    const rulings = dataOf(await place.events("s1"), "runtime.policy.decision");
    expect(rulings.filter(({ rule_id }) => rule_id === "builtin:own-controls")).toHaveLength(9);
  });

  test("leaves the rest of the workspace alone", async () => {
    const { agent } = await guarded();
    for (const payload of [
      action("write_file", { path: "policies.md", content: "x" }),
      action("shell", { command: "ls * && cat src/policies.ts" }),
    ]) {
      expect(await agent.decide("pre_action", payload), JSON.stringify(payload)).toEqual({
        decision: "allow",
      });
    }
  });
});

describe("where agents work", () => {
  const OUTSIDE = `
rules:
  - { id: outside, on: [pre_action], when: 'action.outside.size() > 0', decide: block, reason: Outside. }
`;

  test("is never the agent's to say: without a usable directory every absolute path is outside", async () => {
    const place = await stand({ rules: OUTSIDE });
    const compiled = compilePolicy([{ path: "policies/x.yaml", text: OUTSIDE }]);
    if (!compiled.ok) throw new Error("unreachable");
    for (const [n, workspace] of ["/", "/root", "/etc", "/srv/ada"].entries()) {
      const told: string[] = [];
      const config = loadConfig({ cwd: tempDir() });
      const report = () => {};
      const supervision = await openSupervision(
        { ...place.runtime, report },
        {
          config,
          policy: () => compiled.policy,
          version: "0",
          env: {},
          workspace,
          home: "/srv/ada",
          controls: [],
          warn: (text) => void told.push(text),
        },
      );
      const harness = openHarness({ runtime: place.runtime, config, supervision, version: "0", report });
      const agent = await place.agent(inProcess(harness.server, harness.local("bot")), {
        sessionId: `w${n}`,
      });
      const answer = await agent.decideEvent({
        event_type: "pre_action",
        session_id: `w${n}`,
        agent_id: "a1",
        timestamp: "2026-05-01T00:00:00Z",
        depth: 0,
        payload: { ...action("write_file", { path: "/srv/ada/x" }), workspace: "/srv/ada" },
        metadata: { workspace: "/srv/ada" },
      });
      expect(answer, workspace).toMatchObject({ decision: "block" });
      expect(told[0], workspace).toContain(`${workspace} is no workspace`);
      await harness.stop();
    }
  });
});

describe("what people are shown", () => {
  test("is all that the agent sent, known fields or not, and another amount is another question", async () => {
    const place = await stand({ harness: { timeoutMs: 200 } });
    const agent = await place.agent(local(place));
    const ask = (amount_usd: number) =>
      agent.decideEvent({
        event_type: "confirmation",
        session_id: "s1",
        agent_id: "a1",
        timestamp: new Date().toISOString(),
        depth: 0,
        payload: { session_id: "s1", confirmation_type: "safety_confirm", message: "Pay?", amount_usd },
      } as never) as Promise<{ decision: string }>;
    expect(await ask(5)).toEqual({ decision: "escalate" });
    const question = await place.pending();
    expect(question.shown).toMatchObject({ message: "Pay?", amount_usd: 5 });
    await place.decide(question, { decision: "approved" });
    expect(await ask(5_000_000)).toEqual({ decision: "escalate" });
    expect(await ask(5)).toEqual({ decision: "approve" });
    const asked = dataOf(await place.events("s1"), "runtime.supervision.asked");
    expect(asked[0]).toMatchObject({ payload: { amount_usd: 5 } });
    expect(asked[0]?.["payload_hash"]).not.toBe(asked[1]?.["payload_hash"]);
  });
});

describe("one agent that asks too much", () => {
  const pushes = (n: number) => Array.from({ length: n }, (_, i) => action("push", { i }));
  const reasons = async (place: Stand) =>
    dataOf(await place.events("s1"), "runtime.supervision.answered").map(({ reason }) => reason);

  test("is told to come again, and others are served", async () => {
    const place = await stand({ harness: { limits: { maxInFlight: 5 } } });
    const greedy = await place.agent(local(place, "greedy"));
    const modest = await place.agent(local(place, "modest"), { sessionId: "s2" });
    const answers: string[] = [];
    for (const payload of pushes(20))
      void greedy.decide("pre_action", payload).then(
        ({ decision }) => answers.push(decision),
        () => {},
      );
    await expect.poll(() => answers.length).toBe(15);
    expect(new Set(answers)).toEqual(new Set(["defer"]));
    expect(await modest.decide("pre_action", action("ls"))).toEqual({ decision: "allow" });
    expect(await reasons(place)).toContain("Too many questions of this agent are under way.");
  });

  test("does not hold more than its share, and does not bury people under questions", async () => {
    const place = await stand({ harness: { limits: { maxHeld: 3, maxOpen: 6 } } });
    const agent = await place.agent(local(place));
    const answers: string[] = [];
    for (const payload of pushes(20))
      void agent.decide("pre_action", payload).then(
        ({ decision }) => answers.push(decision),
        () => {},
      );
    await expect.poll(() => answers.length).toBe(17);
    expect(new Set(answers)).toEqual(new Set(["defer"]));
    const { rows } = await place.runtime.services.questions.list(SYSTEM_ACTOR, { state: "pending" });
    expect(rows).toHaveLength(6);
    expect(await reasons(place)).toContain("Too many questions of this session are open.");
  });
});

describe("a task that a supervisor puts in the place of another", () => {
  const NO_DROP = `
rules:
  - { id: no-drop, on: [planning], when: 'event.payload.task_description.contains("drop")', decide: block, reason: No. }
`;
  const plan = { session_id: "s1", task_description: "tidy up", available_strategies: [] };

  test.each([
    ["drop all tables", { decision: "block", reason: "No." }],
    ["tidy up, slowly", { decision: "modify", modified_task: "tidy up, slowly" }],
  ])("is judged again: %s", async (modified_task, expected) => {
    const changer = saying({ decision: "modify", modified_task }, { on: ["planning"] });
    const place = await stand({ rules: NO_DROP, supervisors: [changer] });
    const agent = await place.agent(local(place));
    expect(await agent.decide("planning", plan)).toEqual(expected);
  });
});
