import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AhpEvent, createServer, type Handlers } from "@fairlead/ahp";
import { stdio } from "@fairlead/ahp/stdio";
import { serveUnix, unix } from "@fairlead/ahp/unix";
import { createServer as createNetServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { effectOf } from "../../src/domain/loop-supervision/effect-of.ts";
import { ahpSupervisor } from "../../src/supervisors/ahp.ts";
import type { BlockingType } from "@fairlead/ahp";
import { call, dataOf, own, type OwnOptions, tempDir, until } from "./support.ts";

const ON: readonly BlockingType[] = ["pre_action", "pre_prompt", "planning", "context_perception"];

/** A supervisor of ours that speaks to that socket. */
function reaching(path: string, more: { timeoutMs?: number; onFailure?: "block" | "allow" } = {}) {
  return ahpSupervisor({
    name: "outside",
    transport: unix({ path }),
    on: ON,
    timeoutMs: 1_000,
    onFailure: "block",
    version: "1",
    ...more,
  });
}

/** A real harness on a real socket, and a run of our own that it supervises. */
async function outside(handlers: Handlers, options: OwnOptions = {}) {
  const path = join(tempDir(), "outside.sock");
  const server = await serveUnix(createServer(handlers), { path });
  onTestFinished(() => server.close());
  return { ...own({ ...options, supervisors: [reaching(path)] }), server };
}

describe("a supervisor over a socket", () => {
  test("is asked after the rules, and all of it is recorded around its answer", async () => {
    const seen: AhpEvent[] = [];
    const { judge, durable, run } = await outside({
      decide(event) {
        seen.push(event);
        return { decision: "block", reason: "No network." };
      },
    });
    const judgement = await judge("pre_action", call("curl", { url: "https://x.example" }));
    expect(judgement).toMatchObject({
      decision: { decision: "block", reason: "No network." },
      by: "outside",
    });
    expect(seen).toMatchObject([
      {
        event_type: "pre_action",
        session_id: run.session_id,
        agent_id: "fairlead",
        depth: 1,
        payload: call("curl", { url: "https://x.example" }),
        context: { session_stats: { total_actions: 0 } },
      },
    ]);
    expect(durable).toMatchObject([
      {
        type: "runtime.supervision.asked",
        data: {
          supervisor: "outside",
          payload: call("curl", { url: "https://x.example" }),
          tool_call_id: "call_curl",
          depth: 1,
          round: 0,
        },
      },
    ]);
    expect(judgement.records.map(({ type }) => type)).toEqual([
      "runtime.supervision.answered",
      "runtime.policy.decision",
    ]);
    expect(judgement.records[1]).toMatchObject({
      data: {
        outcome: "block",
        source: "outside",
        reason: "No network.",
        tool_call_id: "call_curl",
        details: { rounds: [{ source: "default", outcome: "allow" }] },
      },
    });
    const id = dataOf(durable, "runtime.supervision.asked")[0]?.["supervision_id"];
    expect(id).toMatch(/^sup_/);
    expect(judgement.records[0]?.data).toMatchObject({ supervision_id: id, source: "supervisor" });
  });

  test("is not asked about what a rule blocks, nor about types that are not its own", async () => {
    let asked = 0;
    const { judge, durable } = await outside(
      { decide: () => ((asked += 1), { decision: "allow" }) },
      { rules: "rules: [{ id: no, on: [pre_action], decide: block, reason: No. }]" },
    );
    expect((await judge("pre_action", call("ls"))).by).toBe("rule:no");
    expect((await judge("reasoning", {})).decision).toBeUndefined();
    expect([asked, durable]).toEqual([0, []]);
  });

  test("changes what runs, and all judge it again", async () => {
    const { judge, durable } = await outside(
      {
        pre_action: ({ payload }) => ({
          decision: "modify",
          modified_payload: { ...(payload as object), arguments: { dry: true } },
        }),
      },
      {
        rules:
          "rules: [{ id: dry, on: [pre_action], when: has(event.payload.arguments.dry), decide: escalate, reason: Dry. }]",
      },
    );
    const judgement = await judge("pre_action", call("sh"));
    expect(judgement).toMatchObject({ by: "rule:dry", payload: call("sh", { dry: true }) });
    expect(effectOf("pre_action", judgement)).toEqual({ kind: "ask", reason: "Dry." });
    expect(durable).toHaveLength(2);
    expect(dataOf(judgement.records, "runtime.policy.decision")).toHaveLength(1);
  });

  test("gives context, refines, and changes plans", async () => {
    let asked = 0;
    const { judge, supervision } = await outside({
      context_perception: () =>
        (asked += 1) === 1
          ? { decision: "refine", scope_hints: ["src"] }
          : {
              decision: "allow",
              injected_context: { facts: [{ content: "x", source: "y", confidence: 1 }] },
            },
      planning: () => ({ decision: "modify", modified_task: "Less.", hints: ["Slow."] }),
    });
    expect(supervision.asks("context_perception")).toBe(true);
    const perceive = {
      session_id: "s",
      intent: "explore",
      target: { pattern: { pattern: "a", pattern_type: "b" } },
    };
    const payload = { ...perceive, context: { workspace: "/w" } };
    expect(effectOf("context_perception", await judge("context_perception", payload)).kind).toBe("refine");
    expect(effectOf("context_perception", await judge("context_perception", payload))).toMatchObject({
      kind: "go",
      text: expect.stringContaining('<supervisor-context by="outside">'),
    });
    const plan = { session_id: "s", task_description: "A lot.", available_strategies: ["none"] };
    expect(effectOf("planning", await judge("planning", plan))).toMatchObject({ kind: "go", task: "Less." });
  });

  test("keeps a gate shut that was switched off", async () => {
    const { judge, supervision } = await outside(
      { decide: () => ({ decision: "block", reason: "Shut." }) },
      { switches: { unsupervised: ["pre_action"] } },
    );
    expect(supervision.coverage().unsupervised).toEqual([]);
    expect((await judge("pre_action", call("ls"))).decision).toMatchObject({ reason: "Shut." });
  });

  test("an answer does not count before the question is durable", async () => {
    const { supervision, run } = await outside({ decide: () => ({ decision: "allow" }) });
    const gate = Promise.withResolvers<void>();
    let answered = false;
    const asked = supervision.judge(run, "pre_action", call("ls"), () => gate.promise);
    const judging = Promise.resolve(asked).then(() => (answered = true));
    // Long enough for a socket's answer; what is asserted is the order, not the time.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answered).toBe(false);
    gate.resolve();
    await judging;
    expect(answered).toBe(true);
  });

  test("a log that does not take the question is no yes, and nothing counts", async () => {
    const { supervision, run } = await outside({ decide: () => ({ decision: "allow" }) });
    const lost = () => Promise.reject(new Error("The log is gone."));
    await expect(supervision.judge(run, "pre_action", call("ls"), lost)).rejects.toThrow("The log is gone.");
    expect(run.tally.calls).toEqual({});
  });
});

describe("without an answer the run is refused", () => {
  test("nobody listens", async () => {
    const { judge, system } = own({
      supervisors: [reaching(join(tempDir(), "nobody.sock"))],
      circuit: { failures: 1, pauseMs: 60_000 },
    });
    const judgement = await judge("pre_action", call("ls"));
    expect(effectOf("pre_action", judgement)).toMatchObject({ kind: "deny" });
    expect(dataOf(judgement.records, "runtime.supervision.answered")).toMatchObject([{ source: "failed" }]);
    expect(system).toMatchObject([{ data: { kind: "supervisor_circuit", status: "open" } }]);
    const again = await judge("pre_prompt", { prompt: "x" });
    expect(effectOf("pre_prompt", again)).toMatchObject({ kind: "stop" });
    expect(dataOf(again.records, "runtime.supervision.answered")).toMatchObject([{ source: "circuit" }]);
  });

  test("unless the configuration leaves it to the others", async () => {
    const { judge } = own({ supervisors: [reaching(join(tempDir(), "no.sock"), { onFailure: "allow" })] });
    const judgement = await judge("pre_action", call("ls"));
    expect(judgement.decision).toEqual({ decision: "allow" });
    expect(dataOf(judgement.records, "runtime.supervision.answered")).toMatchObject([
      { decision: { decision: "abstain" } },
    ]);
  });

  test("what comes over the socket is no JSON", async () => {
    const path = join(tempDir(), "garbage.sock");
    const babbler = createNetServer((socket) => socket.on("error", () => {}).end("{{{\n")).listen(path);
    onTestFinished(() => void babbler.close());
    const { judge } = own({ supervisors: [reaching(path)] });
    expect(effectOf("pre_action", await judge("pre_action", call("ls")))).toMatchObject({ kind: "deny" });
  });

  test("a process that hangs, babbles or dies; the next question starts it again", async () => {
    const file = fileURLToPath(new URL("harness-process.ts", import.meta.url));
    const { judge } = own({
      supervisors: [
        ahpSupervisor({
          name: "process",
          transport: stdio({ command: process.execPath, args: [file] }),
          on: ["pre_action"],
          timeoutMs: 2_000,
          onFailure: "block",
          version: "1",
        }),
      ],
      circuit: { failures: 9, pauseMs: 1 },
    });
    const sourceOf = async (tool: string) => {
      const judgement = await judge("pre_action", call(tool));
      const [answer] = dataOf(judgement.records, "runtime.supervision.answered");
      return [effectOf("pre_action", judgement).kind, answer?.["source"]];
    };
    expect(await sourceOf("ls")).toEqual(["run", "supervisor"]);
    expect(await sourceOf("hang")).toEqual(["deny", "timeout"]);
    expect((await sourceOf("garbage"))[0]).toBe("deny");
    expect((await sourceOf("crash"))[0]).toBe("deny");
    expect(await sourceOf("curl")).toEqual(["deny", "supervisor"]);
    expect(await sourceOf("ls")).toEqual(["run", "supervisor"]);
  }, 30_000);
});

describe("notifications", () => {
  test("arrive in order, between the questions they were sent between", async () => {
    const heard: string[] = [];
    const { supervision, run, judge } = await outside({
      decide: ({ payload }) => {
        heard.push((payload as { tool_name: string }).tool_name);
        return { decision: "allow" };
      },
      notify: ({ event_type, payload, depth }) =>
        void heard.push(`${event_type} ${(payload as { n: number }).n} ${depth}`),
    });
    await judge("pre_action", call("first"));
    supervision.notify(run, "post_action", { n: 1 });
    await judge("pre_action", call("second"));
    for (let n = 2; n < 40; n++) supervision.notify(run, "post_response", { n });
    await until(() => heard.length === 41);
    const rest = Array.from({ length: 38 }, (_, i) => `post_response ${i + 2} 1`);
    expect(heard).toEqual(["first", "post_action 1 1", "second", ...rest]);
  });

  test("open the connection themselves, of every kind", async () => {
    const heard: string[] = [];
    const { supervision, run } = await outside({ notify: ({ event_type }) => void heard.push(event_type) });
    const ids = { run_id: "r", session_id: "s", updated_at: "2026-05-01T00:00:00Z" };
    const told = {
      session_start: {},
      run_lifecycle: { ...ids, status: "executing" },
      task_list: { ...ids, tasks: [] },
      verification: { ...ids, status: "passed" },
      heartbeat: { uptime_ms: 1, total_events_processed: 1, current_state: "x" },
      success: { session_id: "s", action_type: "turn", action_summary: "x", duration_ms: 1 },
      error: { message: "x" },
      session_end: {},
    } as const;
    for (const [type, payload] of Object.entries(told))
      supervision.notify(run, type as keyof typeof told, payload);
    await until(() => heard.length === Object.keys(told).length);
    expect(heard).toEqual(Object.keys(told));
  });

  test("that cannot be delivered are counted, and keep nobody waiting", async () => {
    const lost: { count: number; reason: string }[] = [];
    const { supervision, run } = own({
      supervisors: [reaching(join(tempDir(), "nobody.sock"))],
      dropped: (name, dropped) => void lost.push({ ...dropped, reason: `${name}: ${dropped.reason}` }),
    });
    for (let n = 0; n < 3; n++) supervision.notify(run, "post_action", { n });
    // What is no notification of its type does not get out either.
    supervision.notify(run, "run_lifecycle", { status: "asleep" });
    await until(() => lost.length > 0);
    expect(lost).toMatchObject([{ count: 4, reason: expect.stringContaining("outside:") }]);
  });
});
