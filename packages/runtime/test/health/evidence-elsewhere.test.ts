import type { Requirement, SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/host/clock.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { updateTasks } from "../../src/tools/update-tasks.ts";
import { gated, look, scene, writer } from "../golden/scene.ts";
import { ADA, CHANGE, DONE, LOOK, staged } from "../kernel/support.ts";
import { settle } from "../support/world.ts";
import { held } from "./support.ts";

const LOOKED: Requirement = { kind: "tool", tool: "look" };
const STUBBORN = [[DONE], [DONE], [DONE]];
const LISTED = {
  call: "update_tasks",
  with: { tasks: [{ id: "1", title: "Look", status: "completed" }] },
};
const rules: Rule[] = [
  { when: "Believe it", rounds: STUBBORN },
  { when: "See for yourself", rounds: [[LOOK], [DONE]] },
  { when: "List it", rounds: [[LISTED], [DONE], [DONE], [DONE]] },
  { rounds: [[CHANGE], [LOOK], [DONE]] },
];
const options = { models: [scriptedModel({ script: { rules } })], tools: [look, writer] };

describe("evidence that a branch inherits", () => {
  it.each([
    ["Believe it.", "needs_review", "needs_review"],
    ["See for yourself.", "completed", "passed"],
  ])("is of other files: %s", async (input, status, check) => {
    const play = await held({ ...options, start: { permission_mode: "full_access", requires: [LOOKED] } });
    await play.until("completed");
    const last = (await play.events()).findLast(({ type }) => type === "agent.output.completed");
    const { kernel } = play.w.services;
    const made = staged(
      play.w,
      await kernel.resume(ADA, play.session, { from_event_id: last?.id ?? "", input }),
    );
    expect((await made.until("completed", "needs_review")).status).toBe(status);
    expect((await made.data("runtime.verification.reported")).at(-1)).toMatchObject({
      checks: [{ status: check }],
    });
  });
});

describe("evidence and what people run by hand", () => {
  const reported = async (play: Awaited<ReturnType<typeof scene>>) =>
    (await play.events()).findLast(({ type }) => type === "runtime.verification.reported")?.data;
  async function proven(tools = options.tools) {
    const play = await scene({ ...options, tools }, { requires: [LOOKED], permission_mode: "full_access" });
    await play.start("Begin.");
    await play.rest();
    expect(await reported(play)).toMatchObject({ status: "passed" });
    return play;
  }

  it.each([
    ["change", "needs_review"],
    ["look", "passed"],
  ])("a call of %s makes of it: %s", async (name, status) => {
    const play = await proven();
    await play.w.services.tools.call(ADA, play.session, name, { what: "flag" });
    await play.start("Believe it.");
    await play.rest();
    expect(await reported(play)).toMatchObject({ status });
  });

  it("nothing counts as seen while it runs, and what was seen meanwhile is old when it ends", async () => {
    const wait = gated({ access: "write", effect: "once" });
    const play = await proven([look, writer, wait]);
    const running = play.w.services.tools.call(ADA, play.session as SessionId, "wait", { what: "for it" });
    await play.until("runtime.tool.direct.started");
    await play.start("See for yourself.");
    await play.rest();
    expect(await reported(play)).toMatchObject({
      checks: [{ status: "needs_review", message: "A person runs a tool that may change it." }],
    });
    wait.letGo({ result: "waited" });
    await running;
    await settle();
    await play.start("Believe it.");
    await play.rest();
    expect(await reported(play)).toMatchObject({
      checks: [{ status: "needs_review", message: "Something was changed since." }],
    });
    await play.start("See for yourself.");
    await play.rest();
    expect(await reported(play)).toMatchObject({ status: "passed" });
  });

  it("nor is a list of tasks that are done while it runs", async () => {
    const wait = gated({ access: "write", effect: "once" });
    const requires: Requirement[] = [{ kind: "rule", rule: "tasks_completed" }];
    const tools = [look, writer, wait, updateTasks({ clock: systemClock })];
    const play = await scene({ ...options, tools }, { requires, permission_mode: "full_access" });
    const running = play.w.services.tools.call(ADA, play.session as SessionId, "wait", { what: "for it" });
    await play.until("runtime.tool.direct.started");
    await play.start("List it.");
    await play.rest();
    expect(await reported(play)).toMatchObject({
      checks: [{ status: "needs_review", message: "A person runs a tool that may change it." }],
    });
    wait.letGo({ result: "waited" });
    await running;
    await settle();
    await play.start("List it.");
    await play.rest();
    expect(await reported(play)).toMatchObject({ status: "passed" });
  });
});
