import {
  AHP_EVENTS,
  type AhpEvent,
  type BlockingType,
  createServer,
  EVENT_TYPES,
  inProcess,
  isBlocking,
} from "@fairlead/ahp";
import { stdio } from "@fairlead/ahp/stdio";
import fc from "fast-check";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decisionsOf, strictness } from "../../src/domain/policy/strictness.ts";
import { readDecision, strictest } from "../../src/domain/supervision/strictest.ts";
import { type AnyDecision, type Supervisor, SupervisorFault } from "../../src/ports/supervisor.ts";
import { ahpSupervisor } from "../../src/supervisors/ahp.ts";
import { action, dataOf, type Stand, type StandOptions, stand } from "./support.ts";

type Decide = (event: AhpEvent) => unknown;

function supervisor(name: string, decide: Decide, more: Partial<Supervisor> = {}): Supervisor {
  return {
    name,
    on: ["pre_action", "pre_prompt", "idle", "rate_limit", "confirmation", "context_perception"],
    timeoutMs: 100,
    onFailure: "block",
    decide: async (event) => decide(event),
    close: async () => {},
    ...more,
  };
}

async function agentOf(options: StandOptions) {
  const place = await stand(options);
  const agent = await place.agent(inProcess(place.harness.server, place.harness.local("bot")));
  return { place, agent };
}

async function answersOf(place: Stand, name: string) {
  return dataOf(await place.events("s1"), "runtime.supervision.answered").filter(
    ({ supervisor: by }) => by === name,
  );
}

const never = new Promise<never>(() => {});
const allow = { decision: "allow" };

describe("the strictest answer wins", () => {
  test("between rules and supervisors", async () => {
    const { agent } = await agentOf({
      supervisors: [
        supervisor("mild", () => allow),
        supervisor("strict", ({ payload }) =>
          (payload as { tool_name: string }).tool_name === "curl"
            ? { decision: "block", reason: "No network." }
            : allow,
        ),
      ],
    });
    expect(await agent.decide("pre_action", action("ls"))).toEqual(allow);
    expect(await agent.decide("pre_action", action("curl"))).toEqual({
      decision: "block",
      reason: "No network.",
    });
    expect(await agent.decide("pre_action", action("rm"))).toMatchObject({
      reason: "Nothing is deleted here.",
    });
    expect(await agent.decide("pre_action", action("build"))).toMatchObject({ decision: "defer" });
  });

  test("of any answers, in any order", () => {
    for (const type of EVENT_TYPES.filter(isBlocking)) {
      const decision = fc.constantFrom(...decisionsOf(type)).map((decision) => ({ decision: { decision } }));
      fc.assert(
        fc.property(fc.array(decision, { minLength: 1 }), (answers) => {
          const most = Math.max(...answers.map((answer) => strictness(type, answer.decision.decision)));
          expect(strictness(type, strictest(type, answers)?.decision.decision ?? "")).toBe(most);
        }),
      );
      expect(
        strictest(type, [{ decision: { decision: "???" } }, { decision: { decision: "allow" } }])?.decision
          .decision,
      ).toBe("???");
    }
  });

  test("a supervisor's context counts where the rules have none to give", async () => {
    const found = { facts: [{ content: "It is Monday.", source: "calendar", confidence: 1 }] };
    const { agent } = await agentOf({
      supervisors: [supervisor("memory", () => ({ decision: "allow", injected_context: found }))],
    });
    const decision = await agent.decide("context_perception", {
      session_id: "s1",
      intent: "understand",
      target: { location: { path: ".", location_type: "workspace" } },
      context: { workspace: "/w" },
    });
    expect(decision).toMatchObject({ decision: "allow", injected_context: found });
  });
});

describe("a changed payload is judged again", () => {
  test("by the rules", async () => {
    const { agent } = await agentOf({
      supervisors: [supervisor("helpful", () => ({ decision: "modify", modified_payload: action("rm") }))],
    });
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({
      decision: "block",
      reason: "Nothing is deleted here.",
    });
  });

  test("by every supervisor, until nobody changes it any more", async () => {
    const seen: unknown[] = [];
    const { agent, place } = await agentOf({
      supervisors: [
        supervisor("polite", ({ payload }) => ({
          decision: "modify",
          modified_payload: { ...(payload as object), polite: true },
        })),
        supervisor("watcher", ({ payload }) => {
          seen.push(payload);
          return allow;
        }),
      ],
    });
    expect(await agent.decide("pre_action", action("ls"))).toEqual({
      decision: "modify",
      modified_payload: { ...action("ls"), polite: true },
    });
    expect(seen).toEqual([action("ls"), { ...action("ls"), polite: true }]);
    expect((await answersOf(place, "polite")).map(({ round }) => round)).toEqual([0, 1]);
  });

  test("an allowed payload with changes in it is a change", async () => {
    const { agent } = await agentOf({
      supervisors: [supervisor("sly", () => ({ decision: "allow", modified_payload: action("rm") }))],
    });
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
  });

  test("by a rule whose change is another one each time, once", async () => {
    const { agent } = await agentOf({
      rules: `rules:
  - { id: box, on: [pre_action], decide: modify, patch: { arguments: { command: { cel: '"box " + event.payload.arguments.command' } } } }`,
    });
    expect(await agent.decide("pre_action", { tool_name: "sh", arguments: { command: "ls" } })).toMatchObject(
      { decision: "modify", modified_payload: { arguments: { command: "box ls" } } },
    );
  });

  test("but not for ever", async () => {
    let count = 0;
    const { agent } = await agentOf({
      supervisors: [
        supervisor("restless", () => ({
          decision: "modify",
          modified_payload: action("ls", { count: (count += 1) }),
        })),
      ],
    });
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("changed more than"),
    });
  });

  test("and a person sees it as it would run", async () => {
    const { agent, place } = await agentOf({
      supervisors: [
        supervisor("polite", ({ payload }) => ({
          decision: "modify",
          modified_payload: { ...(payload as object), polite: true },
        })),
      ],
      rules:
        "rules: [{ id: ask, on: [pre_action], when: 'has(event.payload.polite)', decide: escalate, reason: Why. }]",
    });
    const held = agent.decide("pre_action", action("ls"));
    const question = await place.pending();
    expect(question.shown).toEqual({ ...action("ls"), polite: true });
    await place.decide(question, { decision: "approved" });
    expect(await held).toEqual({ decision: "modify", modified_payload: { ...action("ls"), polite: true } });
  });
});

describe("without an answer the agent is refused", () => {
  const FAILURES: Record<string, { decide: Decide; source: string }> = {
    silence: { decide: () => never, source: "timeout" },
    nonsense: { decide: () => "yes", source: "invalid" },
    "another type's decision": { decide: () => ({ decision: "approve", reason: 1 }), source: "invalid" },
    "a failure": {
      decide: () => {
        throw new Error("Broken.");
      },
      source: "failed",
    },
    "a garbled answer": {
      decide: () => {
        throw new SupervisorFault("invalid", "Not JSON.");
      },
      source: "invalid",
    },
  };

  test.each(Object.keys(FAILURES))("%s", async (name) => {
    const { decide, source } = FAILURES[name] as { decide: Decide; source: string };
    const { agent, place } = await agentOf({
      supervisors: [supervisor("odd", decide)],
    });
    const session_id = "s1";
    expect(await agent.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
    expect(await agent.decide("idle", { idle_duration_ms: 1, idle_reason: "x" })).toMatchObject({
      decision: "defer",
    });
    expect(
      await agent.decide("rate_limit", {
        session_id,
        limit_type: "llm_token_limit",
        retry_after_ms: 1,
        current_usage: "1",
      }),
    ).toMatchObject({ decision: "skip" });
    if (name !== "another type's decision") {
      expect(
        await agent.decide("confirmation", { session_id, confirmation_type: "user_confirm", message: "?" }),
      ).toMatchObject({ decision: "reject" });
    }
    const answers = await answersOf(place, "odd");
    expect(answers[0]).toMatchObject({ source, decision: { decision: "block" } });
    expect(answers[0]?.["reason"]).toEqual(expect.any(String));
  });

  test("unless the configuration leaves it to the others, and the log says so", async () => {
    const { agent, place } = await agentOf({
      supervisors: [supervisor("optional", () => never, { onFailure: "allow" })],
    });
    expect(await agent.decide("pre_action", action("ls"))).toEqual(allow);
    expect(await agent.decide("pre_action", action("rm"))).toMatchObject({ decision: "block" });
    expect((await answersOf(place, "optional"))[0]).toMatchObject({
      source: "timeout",
      decision: { decision: "abstain" },
    });
  });

  test("and a supervisor that keeps failing is not waited for", async () => {
    const { agent, place } = await agentOf({
      supervisors: [supervisor("dead", () => never)],
      circuit: { failures: 2, pauseMs: 60_000 },
    });
    for (let i = 0; i < 2; i++) await agent.decide("pre_action", action("ls"));
    const start = performance.now();
    for (let i = 0; i < 5; i++)
      expect(await agent.decide("pre_action", action("ls"))).toMatchObject({ decision: "block" });
    expect(performance.now() - start).toBeLessThan(100);
    expect((await answersOf(place, "dead")).map(({ source }) => source)).toEqual([
      "timeout",
      "timeout",
      ...Array(5).fill("circuit"),
    ]);
    const changes = dataOf(await place.events("s1"), "runtime.transport.diagnostic");
    expect(changes).toMatchObject([
      { kind: "supervisor_circuit", status: "open", provider_requested: "dead", failure_count: 2 },
    ]);
  });
});

test("another harness is a supervisor, and hears the agent's own event", async () => {
  const heard: AhpEvent[] = [];
  const server = createServer({
    pre_action: (event) => {
      heard.push(event as AhpEvent);
      return { decision: "escalate", reason: "Ask." };
    },
  });
  const options = {
    name: "other",
    transport: inProcess(server),
    on: ["pre_action" as const],
    timeoutMs: 1_000,
    onFailure: "block" as const,
    version: "1",
  };
  const { agent, place } = await agentOf({
    supervisors: [ahpSupervisor(options)],
    harness: { timeoutMs: 300 },
  });
  expect(await agent.decide("pre_action", action("ls"), { depth: 3, metadata: { a: 1 } })).toMatchObject({
    decision: "defer",
  });
  expect(heard).toMatchObject([
    { session_id: "s1", agent_id: "a1", depth: 3, metadata: { a: 1 }, payload: action("ls") },
  ]);
  expect(await place.pending()).toMatchObject({ reason: "Ask.", asked_by: "other" });
});

test(
  "a supervisor of our own making is started, and started again when it dies",
  { timeout: 30_000 },
  async () => {
    const script = fileURLToPath(new URL("child-supervisor.ts", import.meta.url));
    const { agent } = await agentOf({
      supervisors: [
        ahpSupervisor({
          name: "child",
          transport: stdio({ command: process.execPath, args: [script] }),
          on: ["pre_action"],
          timeoutMs: 5_000,
          onFailure: "block",
          version: "1",
        }),
      ],
    });
    expect(await agent.decide("pre_action", action("ls"))).toEqual(allow);
    expect(await agent.decide("pre_action", action("curl"))).toMatchObject({ reason: "No network." });
    expect(await agent.decide("pre_action", action("die"))).toMatchObject({ decision: "block" });
    expect(await agent.decide("pre_action", action("ls"))).toEqual(allow);
  },
);

test("only decisions of the event's type are decisions", () => {
  for (const type of EVENT_TYPES.filter(isBlocking) as BlockingType[]) {
    expect(AHP_EVENTS[type].decision).not.toBeNull();
    for (const value of [null, {}, { decision: "perhaps" }, "allow", [], { decision: null }]) {
      expect(readDecision(type, value)).toBeUndefined();
    }
  }
  expect(readDecision("pre_action", { decision: "allow" }) as AnyDecision).toEqual({ decision: "allow" });
});
