import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyEvent, QuestionRow, SessionId } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Runtime } from "../../src/create-runtime.ts";
import type { Services } from "../../src/services/types.ts";
import { temporaryFolder } from "../stores.ts";
import { freshDatabase } from "../support/postgres.ts";
import { ADMIN, everything } from "../support/world.ts";
import { startChild } from "./child.ts";
import { openKillScene, until } from "./tool-kill-scene.ts";

interface Site {
  readonly session: SessionId;
  /** A process that starts after the one that was killed. */
  open(): Promise<Runtime>;
  /** Each line is an effect that took place. */
  effects(): readonly string[];
}

/** A session in which a person ran a tool, whose process was killed with -9 while it ran. */
async function killedIn(
  tool: string,
  settings: Parameters<Services["sessions"]["create"]>[1] = {},
  database?: string,
): Promise<Site> {
  const [folder, work] = [temporaryFolder(), temporaryFolder()];
  const data = { path: database ?? folder.path, remove: folder.remove };
  const left: (() => unknown)[] = [data.remove, work.remove];
  onTestFinished(async () => {
    for (const undo of left.toReversed()) await undo();
  });
  const open = async () => {
    const runtime = await openKillScene(data.path, work.path);
    left.push(() => runtime.stop());
    await runtime.start();
    return runtime;
  };
  const first = await open();
  const { session_id: session } = await first.services.sessions.create(ADMIN, settings);
  await first.stop();
  const hang = join(work.path, "hang");
  writeFileSync(hang, "");
  const child = startChild("./direct-child.ts", [data.path, work.path, session, tool]);
  const ended = once(child, "close");
  for await (const said of child.stdout.setEncoding("utf8"))
    if (String(said).includes("running")) child.kill("SIGKILL");
  expect((await ended)[1]).toBe("SIGKILL");
  rmSync(hang);
  const file = join(work.path, "effects.txt");
  const effects = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  return { session, open, effects };
}

const of = (events: readonly AnyEvent[], type: string) =>
  events.filter((event) => event.type === type).map(({ data }) => data as Record<string, unknown>);

/** What the log says once the call is over. */
async function over(runtime: Runtime, session: SessionId): Promise<readonly AnyEvent[]> {
  return until(
    () => everything(runtime.log, session),
    (events) => of(events, "runtime.tool.direct.completed").length > 0,
  );
}

async function asked({ services }: Runtime, session: SessionId): Promise<QuestionRow> {
  const { rows } = await services.questions.list(ADMIN, { session_id: session, state: "pending" });
  expect(rows).toHaveLength(1);
  return rows[0] as QuestionRow;
}

describe("a tool that a person runs, and kill -9", { timeout: 60_000 }, () => {
  it("is ended as lost where it changes nothing", async () => {
    const site = await killedIn("look");
    const runtime = await site.open();
    const events = await everything(runtime.log, site.session);
    expect(of(events, "runtime.effect.verdict")).toMatchObject([
      { tool_name: "look", effect: "none", verdict: "safe" },
    ]);
    expect(of(events, "runtime.tool.direct.completed")).toMatchObject([
      { output: { status: "error", error: expect.stringContaining("lost") } },
    ]);
    expect(site.effects()).toHaveLength(1);
  });

  it("is a question in the inbox where it may have taken effect, and has one verdict", async () => {
    const site = await killedIn("send");
    const runtime = await site.open();
    const question = await asked(runtime, site.session);
    expect(question).toMatchObject({
      kind: "user_input",
      tool_name: "send",
      shown: {
        tool: "send",
        options: [{ outcome: "happened" }, { outcome: "run_again" }, { outcome: "give_up" }],
      },
    });
    const { entries } = await runtime.services.inbox.read(ADMIN);
    expect(entries).toMatchObject([{ group: "needs_input", session_id: site.session }]);
    const row = await runtime.services.sessions.get(ADMIN, site.session);
    const { audit } = await runtime.services.health.of(row);
    expect(audit).toContainEqual(expect.objectContaining({ kind: "verdict" }));
    await runtime.stop();

    const next = await site.open();
    expect((await asked(next, site.session)).request_id).toBe(question.request_id);
    await next.services.questions.decide(ADMIN, question.request_id, {
      decision: "approved",
      answer: { outcome: "happened" },
    });
    const events = await over(next, site.session);
    expect(of(events, "runtime.effect.verdict").map(({ verdict }) => verdict)).toEqual(["ask", "happened"]);
    expect(of(events, "runtime.tool.direct.completed")).toMatchObject([
      { output: expect.stringContaining("root says that it happened") },
    ]);
    expect(site.effects()).toHaveLength(1);
  });

  it.each(["send", "put"])("runs again under the same key when a person says so: %s", async (tool) => {
    const site = await killedIn(tool);
    const runtime = await site.open();
    const { request_id } = await asked(runtime, site.session);
    await runtime.services.questions.decide(ADMIN, request_id, {
      decision: "approved",
      answer: { outcome: "run_again" },
    });
    const events = await over(runtime, site.session);
    expect(of(events, "runtime.tool.direct.started")).toHaveLength(2);
    expect(of(events, "runtime.tool.direct.completed")).toMatchObject([{ output: `${tool} done` }]);
    expect(site.effects()).toHaveLength(2);
    expect(new Set(site.effects()).size).toBe(1);
  });

  it.each([
    ["denied", { decision: "denied" }],
    ["answered so", { decision: "approved", answer: "Give up" }],
  ] as const)("is given up when the question is %s", async (_, decision) => {
    const site = await killedIn("send");
    const runtime = await site.open();
    const { request_id } = await asked(runtime, site.session);
    await runtime.services.questions.decide(ADMIN, request_id, decision);
    const events = await over(runtime, site.session);
    expect(of(events, "runtime.effect.verdict").at(-1)).toMatchObject({ verdict: "give_up" });
    expect(of(events, "runtime.tool.direct.completed")).toMatchObject([{ output: { status: "error" } }]);
    expect(site.effects()).toHaveLength(1);
  });

  it("is given up at once where nobody may be asked", async () => {
    const site = await killedIn("send", { approval_mode: "never", permission_mode: "full_access" });
    const runtime = await site.open();
    const events = await over(runtime, site.session);
    expect(of(events, "runtime.effect.verdict")).toMatchObject([{ verdict: "give_up" }]);
    expect(of(events, "runtime.question.asked")).toEqual([]);
    expect(site.effects()).toHaveLength(1);
  });

  it("is found by another process long before its time is over, where several have the log", async () => {
    const site = await killedIn("send", {}, await freshDatabase());
    const runtime = await site.open();
    const found = await until(
      async () => {
        await runtime.services.tools.recover();
        return (await runtime.services.questions.list(ADMIN, { state: "pending" })).rows;
      },
      (rows) => rows.length > 0,
    );
    expect(found).toMatchObject([{ kind: "user_input", tool_name: "send", session_id: site.session }]);
    const [started] = of(await everything(runtime.log, site.session), "runtime.tool.direct.started");
    expect(Date.parse(String(started?.["until"]))).toBeGreaterThan(Date.now());
    expect(site.effects()).toHaveLength(1);
  });
});
