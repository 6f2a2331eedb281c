import type { HealthPolicy, SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Rule, Step } from "../../src/models/script.ts";
import { delegate } from "../../src/tools/delegate.ts";
import { ADA, look, tool, writer } from "../golden/scene.ts";
import { delegated, delegating } from "../services/delegation-support.ts";

const LOOK: Step = { call: "look", with: { what: "door" } };
const FAIL: Step = { call: "fails", with: { what: "it" } };
const HOLD: Step = { call: "wait", with: { what: "gate" } };
const used = (tokens: number): Step => ({ usage: { input_tokens: tokens, output_tokens: 0 } });

const works = (when: string, ...rounds: readonly (readonly Step[])[]): Rule => ({
  when,
  rounds: [...rounds.map((round) => [...round]), [used(500), { say: "Worked." }]],
});

/** A tool that runs until it is let go. */
function gate() {
  const opened = Promise.withResolvers<void>();
  let runs = 0;
  const wait = tool(
    "wait",
    async () => {
      runs += 1;
      await opened.promise;
      return { result: "open" };
    },
    { timeoutMs: 24 * 3_600_000, parallel: false },
  );
  return { ...wait, running: () => runs, open: () => void opened.resolve() };
}

async function working(health: HealthPolicy, ...script: readonly Rule[]) {
  const wait = gate();
  onTestFinished(wait.open);
  const fails = tool("fails", async () => ({ result: "no", text: "no", failed: true }), { parallel: false });
  const play = await delegating({ script, tools: [delegate(), look, writer, wait, fails] });
  const { w } = play;
  const { session_id: id } = await w.services.kernel.start(ADA, { task: "begin", policy: { health } });
  const row = async () => w.services.kernel.healthy(await w.services.sessions.get(ADA, id));
  const pressure = async () => (await row()).health.budget_pressure as Record<string, { used: number }>;
  return { ...play, id, wait, row, pressure };
}

type Play = Awaited<ReturnType<typeof working>>;

/** All that was used by each of the sessions itself. */
async function sum({ w, of, id }: Play): Promise<number> {
  const { rows } = await w.services.sessions.list(ADA, { kind: "subagent" });
  const all = await Promise.all(
    [id, ...rows.map(({ session_id }) => session_id as SessionId)].map((one) => of("agent.usage", one)),
  );
  return all
    .flat()
    .reduce((total, { total_tokens, subagent }) => total + (subagent === undefined ? total_tokens : 0), 0);
}

describe("what a session is said to have used while it waits for its sub-agents", () => {
  it("is what they have used by now, and the same when they have ended", async () => {
    const play = await working(
      { max_total_tokens: 100_000 },
      delegated({ task: "dig" }, { task: "drill" }),
      works("dig", [used(20_000), LOOK], [used(10_000), LOOK], [used(3_000), HOLD]),
      works("drill", [used(15_000), LOOK], [used(9_000), HOLD]),
    );
    const { until, wait, row, pressure, of, id } = play;
    await until(() => wait.running() === 2);
    const before = (await of("agent.usage", id)).reduce((total, one) => total + one.total_tokens, 0);
    expect((await pressure())["max_total_tokens"]?.used).toBe(before + 20_000 + 10_000 + 15_000);
    expect((await row()).health.usage).toMatchObject({ tokens: before + 45_000 });
    expect((await play.subagents(id)).map(({ tokens }) => tokens)).toEqual([30_000, 15_000]);
    wait.open();
    await until(async () => (await row()).status === "completed");
    expect((await pressure())["max_total_tokens"]?.used).toBe(await sum(play));
    expect(play.w.reported).toEqual([]);
  });

  it("warns in time: it is flagged and its score falls while nobody drives it", async () => {
    const { until, wait, row } = await working(
      { max_total_tokens: 100_000 },
      delegated({ task: "dig" }),
      works("dig", [used(70_000), LOOK], [used(12_000), LOOK], [HOLD]),
    );
    await until(() => wait.running() === 1);
    const { health, status } = await row();
    expect(status).toBe("running");
    expect(health.flags).toEqual(["budget"]);
    expect(health.score_parts).toMatchObject({ budget: -10 });
    wait.open();
    await until(async () => (await row()).status === "completed");
  });

  it("counts what was delegated further, once", async () => {
    const play = await working(
      { max_total_tokens: 100_000 },
      delegated({ task: "middle" }),
      {
        when: "middle",
        rounds: [
          [used(10_000), { call: "delegate", with: { task: "deep" } }],
          [used(20_000), LOOK],
          [HOLD],
          [{ say: "Middle." }],
        ],
      },
      works("deep", [used(15_000), LOOK], [used(6_000), LOOK]),
    );
    const { until, wait, row, pressure, id, of } = play;
    await until(() => wait.running() === 1);
    const own = (await of("agent.usage", id)).reduce((total, one) => total + one.total_tokens, 0);
    // 10,000 and 20,000 of the one, 21,500 of the other.
    expect((await pressure())["max_total_tokens"]?.used).toBe(own + 51_500);
    wait.open();
    await until(async () => (await row()).status === "completed");
    expect((await pressure())["max_total_tokens"]?.used).toBe(await sum(play));
  });

  it.each<HealthPolicy>([
    { max_failed_tool_calls: 4 },
    { max_failed_tool_calls: 4, max_total_tokens: 9_000_000 },
  ])("counts failed calls of theirs, and enforces what all together have crossed: %o", async (policy) => {
    const { until, wait, row, pressure } = await working(
      policy,
      delegated({ task: "dig" }),
      works("dig", [FAIL], [FAIL], [HOLD], [FAIL], [FAIL], [FAIL]),
    );
    await until(() => wait.running() === 1);
    expect((await pressure())["max_failed_tool_calls"]?.used).toBe(2);
    wait.open();
    await until(async () => (await row()).status === "awaiting_approval");
    const { health } = await row();
    expect(health.policy?.enforcement).toMatchObject({
      crossed: [{ budget: "max_failed_tool_calls", value: 5 }],
    });
  });

  it("is said in steps, not with each call, and not at all where nothing limits it", async () => {
    const rounds = Array.from({ length: 40 }, () => [used(1_000), LOOK]);
    const script = [delegated({ task: "dig" }), works("dig", ...rounds)];
    const limited = await working({ max_total_tokens: 1_000_000 }, ...script);
    await limited.until(async () => (await limited.row()).status === "completed");
    const told = await limited.of("runtime.subagent.event", limited.id);
    expect(told.map(({ status }) => status)).toEqual(["started", "completed"]);
    const free = await working({ max_failed_tool_calls: 9 }, ...script);
    await free.until(async () => (await free.row()).status === "completed");
    expect((await free.of("runtime.subagent.event", free.id)).map(({ status }) => status)).toEqual([
      "started",
      "completed",
    ]);
  });
});
