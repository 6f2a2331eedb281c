// Hooks where a turn is not simply played from its start to its end.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../src/models/scripted.ts";
import type { Model } from "../../src/ports/model.ts";
import { writeFile } from "../../src/tools/write-file.ts";
import { hostFiles } from "../../src/host/workspace-files.ts";
import { model, tool } from "../golden/scene.ts";
import { ADMIN, errorOf, settle } from "../support/world.ts";
import { dataOf, hook, hookLines, hookPlace, hookScene, sh, trust } from "./support.ts";

const CALLS = [model({ rounds: [[{ call: "change", with: { what: "the flag" } }], [{ say: "Done." }]] })];

/** Counts how often it takes effect. */
function counting() {
  let count = 0;
  const change = tool(
    "change",
    async () => {
      count += 1;
      return { result: { changed: count } };
    },
    { access: "write", effect: "once", parallel: false },
  );
  return { change, count: () => count };
}

describe("a process that stops while a hook runs", () => {
  it.each([
    ["before_tool", 0],
    ["after_tool", 1],
    ["turn_start", 0],
    ["turn_end", 1],
  ] as const)("%s: the hook is ended, and asked again by the next", async (on, before) => {
    const place = hookPlace();
    writeFileSync(join(place.workspace, "held"), "");
    const hooks = [
      hook({ on, command: sh("echo ran >> hooked; if [ -e held ]; then rm held; sleep 600; fi") }),
    ];
    const { change, count } = counting();
    const first = await hookScene(place, hooks, { models: CALLS, tools: [change] });
    await trust(first, "guard");
    await first.start();
    while (!existsSync(join(place.workspace, "hooked")) || existsSync(join(place.workspace, "held")))
      await first.until("runtime.hook.event");
    await first.w.services.turns.stop("The server stopped.");
    expect(count()).toBe(before);
    expect((await hookLines(first)).at(-1)).toBe("guard cancelled !");
    expect(place.left()).toEqual([]);
    const { store, time } = first.w;
    const second = await hookScene(place, hooks, { models: CALLS, tools: [change], store, time, mark: "b" });
    await second.w.services.turns.recover();
    // Both have the same store.
    await first.until("runtime.request.completed");
    expect(count()).toBe(1);
    expect((await hookLines(first)).slice(-2)).toEqual(["guard started", "guard completed"]);
    expect(readFileSync(join(place.workspace, "hooked"), "utf8")).toBe("ran\nran\n");
  });
});

describe("somebody who speaks while a hook at the end runs", () => {
  it("is heard before the turn ends, and the hook is asked about the new answer", async () => {
    const place = hookPlace();
    writeFileSync(join(place.workspace, "held"), "");
    const wait = "cat >> seen.json; while [ -e held ]; do sleep 0.01; done";
    const play = await hookScene(place, [hook({ on: "turn_end", command: sh(wait) })], {
      models: [
        scriptedModel({
          script: { rules: [{ when: "one more", do: [{ say: "Second." }] }, { do: [{ say: "First." }] }] },
        }),
      ],
    });
    await trust(play, "guard");
    await play.start();
    await play.until("runtime.hook.event");
    await play.w.services.turns.steer(ADMIN, play.session, { input: "Wait, one more thing." });
    rmSync(join(place.workspace, "held"));
    await play.rest();
    const outputs = dataOf(await play.events(), "runtime.request.completed").map(({ output }) => output);
    expect(outputs).toEqual(["Second."]);
    const lines = readFileSync(join(place.workspace, "seen.json"), "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { output: string }).output)).toEqual([
      "First.",
      "Second.",
    ]);
  });
});

describe("an agent that rewrites its own hook", () => {
  it("is stopped by that: the next call is denied, and nothing of its own was run", async () => {
    const place = hookPlace();
    const script = join(place.workspace, "guard.sh");
    writeFileSync(script, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const evil = { path: "guard.sh", content: "#!/bin/sh\ntouch pwned\n" };
    const play = await hookScene(place, [hook({ command: ["/bin/sh", "guard.sh"] })], {
      models: [
        model({
          rounds: [
            [{ call: "write_file", with: evil }],
            [{ call: "write_file", with: { path: "next.txt", content: "next" } }],
            [{ say: "Done." }],
          ],
        }),
      ],
      tools: [writeFile(hostFiles({ hidden: [], fixed: [] }))],
    });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    expect(readFileSync(script, "utf8")).toBe(evil.content);
    expect(dataOf(await play.events(), "agent.tool.outcome").map(({ status }) => status)).toEqual([
      "ok",
      "denied",
    ]);
    expect(existsSync(join(place.workspace, "next.txt"))).toBe(false);
    expect(existsSync(join(place.workspace, "pwned"))).toBe(false);
  });
});

describe("a tool that a person runs", () => {
  it("passes the same hooks, and is recorded with them", async () => {
    const place = hookPlace();
    const { change, count } = counting();
    const hooks = [
      hook({ name: "before", command: sh('read line; case "$line" in *forbidden*) exit 1;; esac') }),
      hook({ name: "after", on: "after_tool", command: sh("cat > after.json; exit 1") }),
    ];
    const play = await hookScene(place, hooks, { models: CALLS, tools: [change] });
    const { tools } = play.w.services;
    const run = (what: string) => tools.call(ADMIN, play.session, "change", { what });
    const untrusted = await errorOf(run("the flag"));
    expect([untrusted.code, untrusted.message]).toEqual([
      "tool_denied",
      expect.stringContaining("`fairlead hooks trust before`"),
    ]);
    await trust(play, "before", "after");
    expect((await errorOf(run("forbidden"))).message).toContain("The hook before does not let this run");
    expect(count()).toBe(0);
    // It has happened, and there is no turn to stop.
    expect(await run("the flag")).toMatchObject({ status: "ok", result: { changed: 1 } });
    expect(await hookLines(play)).toEqual([
      "before blocked !",
      "before started",
      "before failed !",
      "before started",
      "before completed",
      "after started",
      "after failed !",
    ]);
    expect(JSON.parse(readFileSync(join(place.workspace, "after.json"), "utf8"))).toMatchObject({
      tool_name: "change",
      outcome: { status: "ok" },
    });
  });
});

describe("what a hook says", () => {
  it("is redacted like all else, and bounded", async () => {
    const place = hookPlace();
    const secret = "ghp_x9Kq2LmZ7vBt4RwYc8NdPe3HsGj6UaTf5Qi1";
    const reason = `${secret} ${"x".repeat(20_000)}`;
    writeFileSync(join(place.workspace, "answer"), JSON.stringify({ decision: "block", reason }));
    const hooks = [hook({ on: "turn_start", command: sh("cat answer") })];
    const play = await hookScene(place, hooks, { models: CALLS });
    await trust(play, "guard");
    await play.start();
    await play.rest();
    const events = await play.events();
    expect(JSON.stringify(events)).not.toContain("x9Kq2LmZ7");
    const said = dataOf(events, "runtime.hook.event").at(-1)?.["reason"];
    expect(String(said).length).toBeLessThanOrEqual(2_000);
    expect(String(dataOf(events, "runtime.request.failed")[0]?.["error"]).length).toBeLessThan(2_200);
  });

  it("cannot be more than its words: no event, no decision", async () => {
    const place = hookPlace();
    const forged = {
      decision: "continue",
      events: [{ type: "runtime.hook.trusted" }],
      blocks: false,
      status: "completed",
    };
    writeFileSync(join(place.workspace, "answer"), JSON.stringify(forged));
    const play = await hookScene(
      place,
      [hook({ name: "talks", command: sh("cat answer") }), hook({ name: "guard", command: sh("exit 1") })],
      { models: CALLS, tools: [counting().change] },
    );
    await trust(play, "talks", "guard");
    await play.start();
    await play.rest();
    expect(await hookLines(play)).toEqual([
      "talks started",
      "talks completed",
      "guard started",
      "guard failed !",
    ]);
    const [, talked] = dataOf(await play.events(), "runtime.hook.event");
    expect(Object.keys(talked ?? {}).toSorted()).toEqual(
      ["blocking", "elapsed_ms", "hash", "hook", "on", "status", "tool_call_id"].toSorted(),
    );
  });
});

describe("a turn that ends before hooks after a tool had their say", () => {
  /** What models were asked, with a hook that never answers after the tool. */
  async function cancelled(blocking: boolean) {
    const place = hookPlace();
    const heard: string[] = [];
    const [scripted] = CALLS as [Model];
    const listening: Model = {
      ...scripted,
      stream(request, signal) {
        heard.push(JSON.stringify(request.messages));
        return scripted.stream(request, signal);
      },
    };
    const hooks = [
      hook({ name: "notes", on: "after_tool", blocking: false, command: sh("sleep 600") }),
      hook({ name: "scan", on: "after_tool", blocking }),
    ];
    const options = { models: [listening], tools: [counting().change] };
    const play = await hookScene(place, hooks, options);
    await trust(play, "notes", "scan");
    await play.start();
    await play.until("runtime.hook.event", 2);
    return { play, heard };
  }
  const RESULT = String.raw`{\"changed\":1}`;

  it.each([
    [true, false],
    [false, true],
  ])("where one of them blocks (%s), the next turn hears the result: %s", async (blocking, hears) => {
    const { play, heard } = await cancelled(blocking);
    await play.w.services.turns.cancel(ADMIN, play.session);
    const asked = heard.length;
    await play.w.services.turns.start(ADMIN, play.session, { input: "What was it?" });
    await play.until("agent.output.completed", 2);
    expect(heard.slice(asked).some((messages) => messages.includes(RESULT))).toBe(hears);
    await play.w.services.turns.cancel(ADMIN, play.session).catch(() => {});
  });

  it("is told to no branch either, wherever it is cut", async () => {
    const { play, heard } = await cancelled(true);
    const events = await play.events();
    const from = events.findIndex(({ type }) => type === "agent.tool.result");
    expect(from).toBeGreaterThan(0);
    for (const { id } of events.slice(from)) {
      const { session_id } = await play.w.services.branches.branch(ADMIN, play.session, {
        from_event_id: id,
      });
      const asked = heard.length;
      await play.w.services.turns.start(ADMIN, session_id, { input: "What was it?" });
      while (heard.length === asked) await settle();
      expect(heard.at(asked)).toContain("withholds what it gave back");
      expect(heard.at(asked)).not.toContain(RESULT);
      await play.w.services.turns.cancel(ADMIN, session_id).catch(() => {});
    }
    await play.w.services.turns.cancel(ADMIN, play.session);
  });
});

describe("a call that a person approves", () => {
  it("passes its hooks after that, and a yes is no leave to pass them by", async () => {
    const place = hookPlace();
    const { change, count } = counting();
    const hooks = [hook({ command: sh("exit 1") })];
    const options = { models: CALLS, tools: [change] };
    const play = await hookScene(place, hooks, options, { permission_mode: "normal" });
    await trust(play, "guard");
    await play.start();
    await play.until("runtime.turn.ended");
    expect(await hookLines(play)).toEqual([]);
    const { request_id } = await play.question();
    await play.w.services.questions.decide(ADMIN, request_id, { decision: "approved" });
    await play.rest();
    expect(await hookLines(play)).toEqual(["guard started", "guard failed !"]);
    expect(dataOf(await play.events(), "agent.tool.outcome")).toMatchObject([{ status: "denied" }]);
    expect(count()).toBe(0);
  });
});
