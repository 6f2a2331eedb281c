import { writeFileSync } from "node:fs";
import { createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AhpEvent, BlockingType, Handlers } from "@fairlead/ahp";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempDir, until } from "../supervision/support.ts";
import { listening, type Outside, runtimeUnder } from "./outside-support.ts";
import { type Heard, heard, told } from "./support.ts";

const saying = () => heard({ do: [{ say: "Done." }] });
const listing = () => heard({ rounds: [[{ call: "list_files", with: {} }], [{ say: "Done." }]] });

async function under(on: BlockingType, handlers: Handlers, model: Heard, more: Partial<Outside> = {}) {
  const { url, told: notices } = await listening(handlers);
  const turn = await runtimeUnder({ supervisor: { url, on: [on] }, model, ...more });
  return { turn, notices, end: await turn.ends(1) };
}

describe("a harness outside", () => {
  test("changes a call, which runs so", async () => {
    const { turn } = await under(
      "pre_action",
      {
        pre_action: ({ payload }) => ({
          decision: "modify",
          modified_payload: { ...(payload as object), tool_name: "local_search", arguments: { query: "x" } },
        }),
      },
      listing(),
    );
    expect(await turn.data("agent.tool.start")).toMatchObject([
      { name: "local_search", arguments: { query: "x" } },
    ]);
    expect(await turn.decisions("pre_action")).toMatchObject([{ outcome: "modify", source: "outside" }]);
  });

  test("blocks a call, and is in the log with question and answer", async () => {
    const { turn, end } = await under(
      "pre_action",
      { pre_action: () => ({ decision: "block", reason: "No." }) },
      listing(),
    );
    expect(end).toMatchObject({ status: "completed" });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied", error: "No." }]);
    const [asked] = await turn.data("runtime.supervision.asked");
    expect(asked).toMatchObject({ supervisor: "outside", event_type: "pre_action", depth: 0 });
    expect(await turn.data("runtime.supervision.answered")).toMatchObject([
      { supervision_id: asked?.supervision_id, source: "supervisor", decision: { decision: "block" } },
    ]);
  });

  test("escalates a call to a person, whose yes counts", async () => {
    const { turn, end } = await under(
      "pre_action",
      { pre_action: () => ({ decision: "escalate", reason: "Look.", escalation_target: "ops" }) },
      listing(),
    );
    expect(end).toMatchObject({ status: "parked", waits: [{ kind: "question" }] });
    expect(await turn.decide({ decision: "approved" })).toMatchObject({ origin: "outside" });
    expect(await turn.ends(2)).toMatchObject({ status: "completed" });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
  });

  test("defers a call, with a durable timer", async () => {
    const { end } = await under(
      "pre_action",
      { pre_action: () => ({ decision: "defer", retry_after_ms: 600_000, reason: "Later." }) },
      listing(),
    );
    expect(end).toMatchObject({ status: "parked", waits: [{ kind: "timer", reason: "Later." }] });
  });

  test("changes a prompt", async () => {
    const model = saying();
    await under(
      "pre_prompt",
      {
        pre_prompt: ({ payload }) => ({
          decision: "modify",
          modified_payload: { ...(payload as object), prompt: "Something else" },
        }),
      },
      model,
    );
    expect(told(model)).toContain("Something else");
    expect(told(model)).not.toContain("Go on");
  });

  test("remembers facts for the model", async () => {
    const model = saying();
    await under(
      "memory_recall",
      {
        memory_recall: () => ({
          decision: "allow",
          injected_facts: [{ content: "The sky is green.", source: "memory", confidence: 1 }],
        }),
      },
      model,
    );
    expect(told(model)).toMatch(/<supervisor-memory by="outside">[^]*The sky is green\./);
  });

  test("refines what it is asked about the context", async () => {
    const model = saying();
    let rounds = 0;
    const { turn } = await under(
      "context_perception",
      {
        context_perception: () =>
          (rounds += 1) === 1
            ? { decision: "refine", scope_hints: ["src"], refined_intent: "locate" }
            : { decision: "allow", injected_context: { facts: [], knowledge: ["Water is wet."] } },
      },
      model,
    );
    expect(told(model)).toContain("Water is wet.");
    const payloads = (await turn.data("runtime.supervision.asked")).map(({ payload }) => payload);
    expect(payloads).toMatchObject([
      { intent: "understand" },
      { intent: "locate", metadata: { scope_hints: ["src"] } },
    ]);
  });

  test("plans, and stops a plan", async () => {
    const model = saying();
    await under(
      "planning",
      { planning: () => ({ decision: "modify", modified_task: "Do less.", hints: [] }) },
      model,
    );
    expect(told(model)).toContain("The task is now: Do less.");
    const { end } = await under(
      "planning",
      { planning: () => ({ decision: "block", reason: "No." }) },
      saying(),
    );
    expect(end).toMatchObject({ status: "failed" });
  });

  test("confirms together with a rule; alone it can refuse, and the rest is a person's", async () => {
    const write = () =>
      heard({
        rounds: [[{ call: "write_file", with: { path: "a.txt", content: "x" } }], [{ say: "Done." }]],
      });
    const rules = "rules: [{ id: yes, on: [confirmation], decide: approve }]";
    const approve: Handlers = { confirmation: () => ({ decision: "approve" }) };
    const both = await under("confirmation", approve, write(), { rules });
    expect(await both.turn.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
    const alone = await under("confirmation", approve, write());
    expect(alone.end).toMatchObject({ status: "parked", waits: [{ kind: "question" }] });
    const reject: Handlers = { confirmation: () => ({ decision: "reject", reason: "No." }) };
    const refused = await under("confirmation", reject, write(), { rules });
    expect(await refused.turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied", error: "No." }]);
  });

  test("cannot overrule a rule that blocks", async () => {
    const { turn } = await under("pre_action", { pre_action: () => ({ decision: "allow" }) }, listing(), {
      rules: "rules: [{ id: no, on: [pre_action], decide: block, reason: Never. }]",
    });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied", error: "Never." }]);
    expect(await turn.data("runtime.supervision.asked")).toEqual([]);
  });

  test("hears what happened, in order, with the depth", async () => {
    const tasks = { tasks: [{ id: "1", title: "Look", status: "pending" }] };
    const model = heard({
      rounds: [
        [{ call: "read_file", with: { path: "a.txt" } }],
        [{ call: "update_tasks", with: tasks }],
        [{ say: "Done." }],
      ],
    });
    const workspace = tempDir();
    writeFileSync(join(workspace, "a.txt"), "x");
    const { notices, turn } = await under(
      "pre_action",
      { pre_action: () => ({ decision: "allow" }) },
      model,
      {
        runtime: { workspace },
      },
    );
    const types = () => notices.map(({ event_type }: AhpEvent) => event_type);
    await until(() => types().includes("success"));
    expect(types().slice(0, 2)).toEqual(["session_start", "run_lifecycle"]);
    expect(new Set(types())).toEqual(
      new Set(["session_start", "run_lifecycle", "post_response", "post_action", "task_list", "success"]),
    );
    expect(types().filter((type) => type === "post_response")).toHaveLength(3);
    for (const event of notices)
      expect(event).toMatchObject({ depth: 0, agent_id: "fairlead", session_id: turn.session });
    const life = notices.filter(({ event_type }) => event_type === "run_lifecycle");
    expect(life.map(({ payload }) => (payload as { status: string }).status)).toEqual([
      "executing",
      "completed",
    ]);
  });

  test("hears of errors", async () => {
    const { notices } = await under(
      "pre_prompt",
      { pre_prompt: () => ({ decision: "block", reason: "No." }) },
      saying(),
    );
    await until(() => notices.some(({ event_type }) => event_type === "error"));
    expect(notices.find(({ event_type }) => event_type === "error")?.payload).toMatchObject({
      message: "No.",
      code: "blocked",
    });
  });

  test("is not asked once the budget is spent, and the run stops", async () => {
    const twice = heard({
      rounds: [
        [
          { call: "list_files", with: {} },
          { call: "list_files", with: {} },
        ],
        [{ say: "Done." }],
      ],
    });
    const { turn } = await under("pre_action", { pre_action: () => ({ decision: "allow" }) }, twice, {
      budget: { actions: 1 },
    });
    const statuses = (await turn.data("agent.tool.outcome")).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(["denied", "ok"]);
    expect(await turn.data("runtime.supervision.asked")).toHaveLength(1);
  });
});

describe("failing closed", () => {
  async function failing(supervisor: Outside["supervisor"], model: Heard) {
    const turn = await runtimeUnder({ supervisor, model });
    const end = await turn.ends(1);
    const [answer] = await turn.data("runtime.supervision.answered");
    return { turn, end, answer };
  }
  const never = () => new Promise<never>(() => {});

  test("no answer in time: the call is denied, and the log says so", async () => {
    const { url } = await listening({ pre_action: never });
    const { turn, end, answer } = await failing({ url, timeout_ms: 50 }, listing());
    expect(answer).toMatchObject({ source: "timeout", decision: { decision: "block" } });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
    expect(end).toMatchObject({ status: "completed" });
  });

  test("no answer in time about a prompt: the turn ends, and the model hears nothing", async () => {
    const { url } = await listening({ pre_prompt: never });
    const model = saying();
    const { turn, answer } = await failing({ url, timeout_ms: 50, on: ["pre_prompt"] }, model);
    expect(answer).toMatchObject({ source: "timeout" });
    expect(model.asked).toEqual([]);
    expect(await turn.data("runtime.request.failed")).toMatchObject([{ code: "blocked" }]);
  });

  test("no decision of its type: denied", async () => {
    const { url } = await listening({ pre_action: () => ({ decision: "whatever" }) as never });
    const { turn, answer } = await failing({ url }, listing());
    expect(answer?.decision).toMatchObject({ decision: "block" });
    expect(answer?.source).not.toBe("supervisor");
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
  });

  test("garbage on the wire: denied", async () => {
    const path = join(tempDir(), "garbage.sock");
    const server = createNetServer((socket) => void socket.on("data", () => socket.write("{{{ no json\n")));
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const { turn, answer } = await failing({ url: `unix:${path}`, timeout_ms: 200 }, listing());
    expect(answer?.source).not.toBe("supervisor");
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
  });

  test("nobody there: denied", async () => {
    const url = `unix:${join(tempDir(), "nobody.sock")}`;
    const { turn, answer } = await failing({ url }, listing());
    expect(answer).toMatchObject({ source: "failed" });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
  });

  test("a process that crashes when it is asked: denied, and the turn still ends", async () => {
    const program = fileURLToPath(new URL("crashing-harness.ts", import.meta.url));
    const { turn, end, answer } = await failing(
      { command: [process.execPath, program], timeout_ms: 10_000 },
      listing(),
    );
    expect(answer?.source).not.toBe("supervisor");
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
    expect(end).toMatchObject({ status: "completed" });
  });

  test("configured to leave it to the others: they decide, and the log says so", async () => {
    const url = `unix:${join(tempDir(), "nobody.sock")}`;
    const { turn, answer } = await failing({ url, on_failure: "allow" }, listing());
    expect(answer).toMatchObject({ decision: { decision: "abstain" } });
    expect(await turn.data("agent.tool.outcome")).toMatchObject([{ status: "ok" }]);
  });
});
