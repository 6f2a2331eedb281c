import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { look, model, writer } from "../golden/scene.ts";
import { CALLS, dataOf, hook, hookLines, hookPlace, hookScene, marking, sh, trust } from "./support.ts";

describe("a hook before a tool", () => {
  it("lets it run when it goes well, and is told what would run", async () => {
    const place = hookPlace();
    const { tool: change, ran } = marking(place.workspace);
    const hooks = [hook({ command: sh("cat > seen.json; test ! -e ran") })];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [change] });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    expect(ran()).toBe(true);
    const events = await play.events();
    const types = events.map(({ type }) => type);
    expect(await hookLines(play)).toEqual(["guard started", "guard completed"]);
    expect(types.lastIndexOf("runtime.hook.event")).toBeLessThan(types.indexOf("agent.tool.batch"));
    const seen = readFileSync(join(place.workspace, "seen.json"), "utf8");
    expect(seen.trimEnd()).not.toContain("\n");
    expect(JSON.parse(seen)).toEqual({
      hook: "guard",
      on: "before_tool",
      workspace: place.workspace,
      session_id: play.session,
      turn_id: events.find(({ type }) => type === "runtime.request.started")?.turn_id,
      tool_name: "change",
      tool_call_id: expect.any(String),
      arguments: { what: "the flag" },
    });
    expect(place.left()).toEqual([]);
  });

  it.each([
    ["says no", sh(`echo '{"decision":"block","reason":"Not on a Friday."}'`), "blocked", "Not on a Friday."],
    ["fails", sh("echo broken >&2; exit 3"), "failed", "It ended with exit code 3. It said: broken"],
    ["is killed", sh("kill -KILL $$"), "failed", "It was ended by SIGKILL."],
    ["says garbage", sh("echo yes"), "failed", "It said something that is no answer: yes"],
    ["decides something else", sh(`echo '{"decision":"allow"}'`), "failed", 'It decided "allow"'],
    ["is no program", ["./not-there"] as const, "failed", "There is no program ./not-there."],
  ])("that %s denies the call, and the model is told why", async (_, command, status, reason) => {
    const place = hookPlace();
    const { tool: change, ran } = marking(place.workspace);
    const play = await hookScene(place, [hook({ command: [...command] })], { ...CALLS, tools: [change] });
    if (command[0] !== "./not-there") await trust(play, "guard");
    await play.start();
    await play.rest();
    expect(ran()).toBe(false);
    const events = await play.events();
    expect((await hookLines(play)).at(-1)).toBe(`guard ${status} !`);
    const [outcome] = dataOf(events, "agent.tool.outcome");
    expect(outcome).toMatchObject({ status: "denied", outcome_type: "ToolDenied" });
    expect(outcome?.["error"]).toContain("The hook guard does not let this run: ");
    expect(outcome?.["error"]).toContain(reason);
    expect(dataOf(events, "agent.tool.batch")).toEqual([]);
    const [completed] = dataOf(events, "runtime.request.completed");
    expect(completed?.["output"]).toContain(reason);
  });

  it("that does not block only says what happened", async () => {
    const place = hookPlace();
    const { tool: change, ran } = marking(place.workspace);
    const hooks = [
      hook({ name: "fails", blocking: false, command: sh("exit 1") }),
      hook({ name: "objects", blocking: false, command: sh(`echo '{"decision":"block","reason":"No."}'`) }),
      hook({ name: "garbage", blocking: false, command: sh("echo [") }),
      hook({ name: "unknown", blocking: false, command: sh("touch unknown") }),
    ];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [change] });
    await trust(play, "fails", "objects", "garbage");
    await play.start();
    await play.rest();
    expect(ran()).toBe(true);
    expect(existsSync(join(place.workspace, "unknown"))).toBe(false);
    expect(await hookLines(play)).toEqual([
      "fails started",
      "fails failed",
      "objects started",
      "objects completed",
      "garbage started",
      "garbage failed",
      "unknown skipped",
    ]);
    const said = dataOf(await play.events(), "runtime.hook.event");
    expect(said[3]?.["reason"]).toBe("It wanted to block, and is configured not to. No.");
    expect(said[6]?.["reason"]).toContain("fairlead hooks trust unknown");
  });

  it("that nobody trusts and that blocks denies the call, and says how to trust it", async () => {
    const place = hookPlace();
    const { tool: change, ran } = marking(place.workspace);
    const play = await hookScene(place, [hook({ command: sh("touch hooked") })], {
      ...CALLS,
      tools: [change],
    });
    await play.start();
    await play.rest();
    expect([ran(), existsSync(join(place.workspace, "hooked"))]).toEqual([false, false]);
    expect(await hookLines(play)).toEqual(["guard blocked !"]);
    const events = await play.events();
    expect(dataOf(events, "runtime.hook.event")[0]?.["reason"]).toContain("`fairlead hooks trust guard`");
    // A model that could run it would.
    expect(dataOf(events, "agent.tool.outcome")[0]?.["error"]).toBe(
      "The hook guard does not let this run: Only a person can change that.",
    );
  });

  it("is for the tools that it names", async () => {
    const place = hookPlace();
    const hooks = [
      hook({ name: "theirs", tools: ["other", "github__*"], command: sh("exit 1") }),
      hook({ name: "ours", tools: ["oth*", "ch*ge"], command: sh("exit 1") }),
    ];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [writer] });
    await trust(play, "theirs", "ours");
    await play.start();
    await play.rest();
    expect(await hookLines(play)).toEqual(["ours started", "ours failed !"]);
  });

  it("is not asked about what rules, modes or people have denied", async () => {
    const place = hookPlace();
    const rules = "rules:\n  - { id: never, on: [pre_action], decide: block, reason: Never. }\n";
    const play = await hookScene(place, [hook({})], { ...CALLS, tools: [writer], rules });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    expect(await hookLines(play)).toEqual([]);
    expect(dataOf(await play.events(), "agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
  });

  it("of one call of a wave denies that call alone", async () => {
    const place = hookPlace();
    const answer = `read line; case "$line" in *"the attic"*) exit 1;; esac`;
    const play = await hookScene(place, [hook({ command: sh(answer) })], {
      models: [
        model({
          rounds: [
            [
              { call: "look", with: { what: "the attic" } },
              { call: "look", with: { what: "the yard" } },
            ],
            [{ say: "Done." }],
          ],
        }),
      ],
      tools: [look],
    });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    const outcomes = dataOf(await play.events(), "agent.tool.outcome");
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["denied", "ok"]);
    expect(dataOf(await play.events(), "agent.tool.batch")).toMatchObject([{ parallel: false }]);
  });
});

describe("a turn that is cancelled while a hook runs", () => {
  it("ends, and takes the hook with it", async () => {
    const place = hookPlace();
    const { tool: change, ran } = marking(place.workspace);
    const hooks = [hook({ command: sh("sleep 600 & wait") })];
    const play = await hookScene(place, hooks, { ...CALLS, tools: [change] });
    await trust(play, "guard");
    await play.start();
    await play.until("runtime.hook.event");
    await play.w.services.turns.cancel(
      { name: "ada", role: "operator", project: null, token_id: null },
      play.session,
    );
    expect(await hookLines(play)).toEqual(["guard started", "guard cancelled !"]);
    expect(dataOf(await play.events(), "runtime.turn.ended")).toMatchObject([{ status: "cancelled" }]);
    expect(ran()).toBe(false);
    expect(place.left()).toEqual([]);
  });
});
