import type { Requirement } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { updateTasks } from "../../src/tools/update-tasks.ts";
import { look, scene, tool } from "../golden/scene.ts";
import { ADA, DONE, LOOK, model, type Stage } from "../kernel/support.ts";
import { actor, codeOf, handTime } from "../support/world.ts";
import { held } from "./support.ts";

/** Commands that end as they say. */
const shell = tool(
  "shell",
  async ({ command }) => ({
    result: { exit_code: 0 },
    text: "ran",
    failed: String(command).includes("broken"),
  }),
  {
    access: "write",
    effect: "once",
    parallel: false,
    spec: {
      name: "shell",
      description: "Runs.",
      parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    },
  },
);
const file = (name: string, access: "read" | "write") =>
  tool(name, async () => ({ result: "ok" }), {
    access,
    parallel: access === "read",
    spec: {
      name,
      description: "A file.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  });

const run = (command: string): Step => ({ call: "shell", with: { command } });
const write = (path: string): Step => ({ call: "write_file", with: { path } });
const read = (path: string): Step => ({ call: "read_file", with: { path } });
const list = (path: string): Step => ({ call: "list_files", with: { path } });
const tasks = (status: string): Step => ({
  call: "update_tasks",
  with: { tasks: [{ id: "1", title: "Paint.", status }] },
});

const TESTS: Requirement = { kind: "command", command: "npm test" };

async function work(
  requires: readonly Requirement[],
  ...rounds: readonly (readonly Step[])[]
): Promise<Stage> {
  const time = handTime();
  return held({
    time,
    models: [model(...rounds)],
    tools: [
      look,
      shell,
      file("read_file", "read"),
      file("write_file", "write"),
      file("list_files", "read"),
      updateTasks({ clock: time.clock }),
    ],
    start: { permission_mode: "full_access", requires: [...requires] },
  });
}

const TASKS: Requirement = { kind: "rule", rule: "tasks_completed" };
const NO_TASKS: Step = { call: "update_tasks", with: { tasks: [] } };

/** Says that it is done so often that it is believed, or not. */
const STUBBORN = [[DONE], [DONE], [DONE]];

describe("work that owes evidence", () => {
  it.each<[string, Requirement, readonly (readonly Step[])[]]>([
    ["a command after the last change", TESTS, [[write("a")], [run("npm test")], [DONE]]],
    ["a command where nothing was changed", TESTS, [[run(" npm test ")], [DONE]]],
    ["two checks, of which neither is a change", TESTS, [[write("a")], [run("npm test")], [LOOK], [DONE]]],
    ["a file that was read", { kind: "file", path: "./a" }, [[write("b")], [read("a")], [DONE]]],
    ["a file that was written last", { kind: "file", path: "a" }, [[write("b")], [write("a")], [DONE]]],
    ["a tool", { kind: "tool", tool: "look" }, [[write("a")], [LOOK], [DONE]]],
    ["tasks that are done", TASKS, [[write("a")], [tasks("completed")], [LOOK], [DONE]]],
    ["tasks that are skipped", TASKS, [[tasks("skipped")], [DONE]]],
    ["no failing tool", { kind: "rule", rule: "no_failing_tools" }, [[run("broken")], [run("ls")], [DONE]]],
  ])("is completed with %s", async (_, requirement, rounds) => {
    const at = await work([requirement], ...rounds);
    const row = await at.until("completed", "needs_review", "failed");
    expect(row.status).toBe("completed");
    expect(await at.data("runtime.verification.reported")).toMatchObject([
      { session_id: at.session, status: "passed", checks: [{ status: "passed" }], residual_risks: [] },
    ]);
    expect(await at.data("runtime.execution.contract.failed")).toEqual([]);
    expect(row.health.flags).toEqual([]);
  });

  it.each<[string, Requirement, readonly (readonly Step[])[], string]>([
    ["that is older than the last change", TESTS, [[run("npm test")], [write("a")]], "needs_review"],
    ["that was never there", TESTS, [[write("a")]], "pending"],
    ["of another command", TESTS, [[run("npm test || true")]], "pending"],
    ["that failed the last time", { kind: "command", command: "broken" }, [[run("broken")]], "failed"],
    ["of a file nobody looked at", { kind: "file", path: "a" }, [[read("b")]], "pending"],
    ["of a file that only another tool named", { kind: "file", path: "a" }, [[list("a")]], "pending"],
    ["with open tasks", TASKS, [[tasks("in_progress")]], "failed"],
    ["with tasks that failed", TASKS, [[tasks("failed")]], "failed"],
    ["with no tasks at all", TASKS, [[LOOK]], "pending"],
    ["with tasks that were taken away", TASKS, [[tasks("completed")], [NO_TASKS]], "pending"],
    [
      "with tasks that were done before the last change",
      TASKS,
      [[tasks("completed")], [write("a")]],
      "needs_review",
    ],
    ["with a failing tool", { kind: "rule", rule: "no_failing_tools" }, [[run("broken")]], "failed"],
  ])("needs a person with evidence %s", async (_, requirement, rounds, status) => {
    const at = await work([requirement], ...rounds, ...STUBBORN);
    const row = await at.until("completed", "needs_review", "failed");
    expect(row.status).toBe("needs_review");
    expect(await at.data("runtime.verification.reported")).toMatchObject([
      { status: "needs_review", checks: [{ status }] },
    ]);
    const [contract] = await at.data("runtime.execution.contract.failed");
    expect(contract?.["reason"]).not.toBe("");
    expect(row.health).toMatchObject({
      flags: ["no_evidence"],
      recovery_hint: expect.stringContaining("Look at"),
    });
    expect(await at.checkpoints()).toContain("needs_review");
  });

  it("is told what it owes, and may still prove it", async () => {
    const at = await work([TESTS], [write("a")], [DONE], [run("npm test")], [DONE]);
    await at.until("completed");
    expect(await at.data("runtime.context.injected")).toMatchObject([
      { source: "fairlead", subject: "evidence", text: expect.stringContaining("`npm test` succeeds") },
    ]);
  });

  it("names the tools whose evidence is missing, in seed 003's words", async () => {
    const at = await work([TESTS, { kind: "tool", tool: "look" }], ...STUBBORN);
    await at.until("needs_review");
    expect(await at.data("runtime.execution.contract.failed")).toMatchObject([
      { missing_evidence_tools: ["shell", "look"] },
    ]);
  });

  it("is completed by the word of a person who has looked at it, with their name and reason", async () => {
    const at = await work([TESTS], [write("a")], ...STUBBORN);
    await at.until("needs_review");
    const { kernel } = at.w.services;
    const row = await kernel.accept(ADA, at.session, "Read it all.");
    expect(row).toMatchObject({
      status: "completed",
      health: { flags: [], recovery_hint: null, score: 100 },
    });
    expect(await at.data("runtime.session.accepted")).toEqual([
      { session_id: at.session, actor: "ada", reason: "Read it all." },
    ]);
    expect((await at.data("runtime.session.checkpoint")).at(-1)).toMatchObject({
      checkpoint_type: "completed",
      status: "completed",
      summary_text: "Accepted by ada: Read it all.",
    });
    expect(row.health.audit?.at(-1)).toMatchObject({ kind: "accepted", summary: "ada: Read it all." });
    // Once, and for good.
    const before = (await at.events()).length;
    expect(await codeOf(kernel.accept(ADA, at.session))).toBe("session_ended");
    expect(await codeOf(kernel.resume(ADA, at.session))).toBe("session_ended");
    expect(await codeOf(kernel.accept(actor("viewer", "bob"), at.session))).toBe("forbidden");
    expect((await at.events()).length).toBe(before);
  });

  it("cannot be accepted before it is done, and nothing changes", async () => {
    const at = await work([TESTS], [{ hang: true }]);
    await at.until("running");
    expect(await codeOf(at.w.services.kernel.accept(ADA, at.session))).toBe("session_state");
    expect(await at.data("runtime.session.accepted")).toEqual([]);
    expect((await at.row()).status).toBe("running");
  });

  it("goes on when a person wants it to, and can be completed then", async () => {
    const script = {
      rules: [
        { when: "run the tests", rounds: [[run("npm test")], [DONE]] },
        { rounds: STUBBORN.map((round) => [...round]) },
      ],
    };
    const at = await held({
      models: [scriptedModel({ script })],
      tools: [shell],
      start: { permission_mode: "full_access", requires: [TESTS] },
    });
    await at.until("needs_review");
    await at.w.services.kernel.resume(ADA, at.session, { input: "Run the tests." });
    expect((await at.until("completed")).health.flags).not.toContain("no_evidence");
  });
});

describe("a chat that owes evidence", () => {
  it("says so at the end of its turn", async () => {
    const play = await scene(
      { models: [model(...STUBBORN)], tools: [look] },
      { requires: [{ kind: "tool", tool: "look" }] },
    );
    await play.start();
    await play.rest();
    const all = await play.events();
    const of = (type: string) => all.filter((event) => event.type === type).map(({ data }) => data);
    expect(of("runtime.turn.ended")).toMatchObject([{ status: "completed", reason: "needs_review" }]);
    expect(of("runtime.execution.contract.failed")).toHaveLength(1);
    expect(of("runtime.health.snapshot").at(-1)).toMatchObject({ flags: ["no_evidence"] });
  });

  it("owes nothing once that is taken away", async () => {
    const play = await scene(
      { models: [model(...STUBBORN)] },
      { requires: [{ kind: "tool", tool: "look" }] },
    );
    await play.w.services.sessions.configure(ADA, play.session, { requires: [] });
    await play.start();
    await play.rest();
    const types = (await play.events()).map(({ type }) => type);
    expect(types).not.toContain("runtime.verification.reported");
  });

  it("owes a list that cannot be read as a whole: nothing proves it", async () => {
    const wrong = [{ kind: "wish", what: "all is well" }] as never;
    const play = await scene({ models: [model(...STUBBORN)] }, { requires: wrong });
    await play.start();
    await play.rest();
    const reported = (await play.events()).find(({ type }) => type === "runtime.verification.reported");
    expect(reported?.data).toMatchObject({ status: "needs_review", checks: [{ status: "failed" }] });
  });
});
