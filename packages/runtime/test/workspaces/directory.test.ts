import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { SessionId } from "@fairlead/contract";
import { createRuntime, type Runtime } from "../../src/create-runtime.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA } from "../kernel/support.ts";
import { codeOf, everything } from "../support/world.ts";
import { type Lab, lab, temporary } from "./support.ts";

const WRITE: Step = { call: "write_file", with: { path: "made.txt", content: "here\n" } };
const open: Runtime[] = [];
afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.stop();
});

async function runtimeOf(l: Lab, roots: readonly string[] = [], rounds = [[WRITE], [{ say: "Done." }]]) {
  const runtime = await createRuntime({
    store: { sqlite: join(l.home, "data") },
    workspace: l.project,
    sealKey: Buffer.alloc(32, 7),
    models: [scriptedModel({ script: { rules: [{ rounds: rounds as Step[][] }] } })],
    workspaces: { isolate: "background", keepMs: 1_000, roots },
    env: {
      PATH: process.env["PATH"],
      HOME: l.home,
      XDG_CONFIG_HOME: join(l.home, "config"),
      XDG_STATE_HOME: join(l.home, "state"),
    },
  });
  await runtime.start();
  open.push(runtime);
  return runtime;
}

async function stop(runtime: Runtime): Promise<void> {
  open.splice(open.indexOf(runtime), 1);
  await runtime.stop();
}

/** Looked at until it fits; a test fails in time and does not hang. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 1_000; i++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  }
  throw new Error("It did not happen in time.");
}

async function asked({ services }: Runtime, session_id: SessionId): Promise<string> {
  return until(async () => {
    const { rows } = await services.questions.list(ADA, { state: "pending", session_id });
    return rows[0]?.request_id;
  });
}

/** How its last turn ended. */
async function ended({ log }: Runtime, session: SessionId): Promise<unknown> {
  return until(async () => {
    const events = await everything(log, session);
    const end = events.findLast(({ type }) => type === "runtime.turn.ended")?.data as { status?: string };
    return end?.status === undefined || end.status === "parked" ? undefined : end;
  });
}

describe("the directory that a session is started in", () => {
  test("is where its tools work, also in the process after", async () => {
    const l = lab();
    mkdirSync(join(l.project, "part"));
    const first = await runtimeOf(l);
    const { session_id, state } = await first.services.sessions.create(ADA, {
      workspace: join(l.project, "part"),
    });
    expect(state).toMatchObject({
      workspace: join(l.project, "part"),
      workspace_source: join(l.project, "part"),
    });
    await first.services.turns.start(ADA, session_id, { input: "Go." });
    await asked(first, session_id);
    await stop(first);

    const second = await runtimeOf(l);
    await second.services.questions.decide(ADA, await asked(second, session_id), { decision: "approved" });
    expect(await ended(second, session_id)).toMatchObject({ status: "completed" });
    expect(readFileSync(join(l.project, "part/made.txt"), "utf8")).toBe("here\n");
    expect(existsSync(join(l.project, "made.txt"))).toBe(false);
  });

  test("is what background work gets a place of its own from", async () => {
    const l = lab();
    const other = temporary();
    l.put("only-here.txt", "");
    const runtime = await runtimeOf(l, [other], [
      [{ call: "list_files", with: {} }],
      [WRITE],
      [{ say: "Done." }],
    ] as never);
    const { session_id } = await runtime.services.kernel.start(ADA, {
      task: "Go.",
      workspace: other,
      permission_mode: "full_access",
    });
    expect(await ended(runtime, session_id)).toMatchObject({ status: "completed" });
    const { state } = await runtime.services.sessions.get(ADA, session_id);
    expect(state).toMatchObject({ workspace_source: other });
    expect(readFileSync(join(String(state?.workspace), "made.txt"), "utf8")).toBe("here\n");
    expect(existsSync(join(String(state?.workspace), "only-here.txt"))).toBe(false);
    expect(existsSync(join(other, "made.txt"))).toBe(false);
    expect(await runtime.services.directories.list(ADA)).toEqual({
      roots: [l.project, other],
      recent: [other],
    });
  });

  test("is that of a branch too, and of a tool that a person calls", async () => {
    const l = lab();
    mkdirSync(join(l.project, "part"));
    const { services } = await runtimeOf(l);
    const { session_id } = await services.sessions.create(ADA, { workspace: join(l.project, "part") });
    const branch = await services.branches.branch(ADA, session_id, {});
    expect(branch.state).toMatchObject({ workspace: join(l.project, "part") });
    await services.tools.call(ADA, branch.session_id, "write_file", { path: "by-hand.txt", content: "x" });
    expect(existsSync(join(l.project, "part/by-hand.txt"))).toBe(true);
  });

  test("lies in a root, is there, and is no agent's to spoil; else nothing is made", async () => {
    const l = lab();
    const elsewhere = temporary();
    symlinkSync(elsewhere, join(l.project, "way-out"));
    l.put("file.txt", "");
    const { services } = await runtimeOf(l);
    const codes = async (workspace: string) =>
      Promise.all([
        codeOf(services.sessions.create(ADA, { workspace })),
        codeOf(services.kernel.start(ADA, { task: "Go.", workspace })),
      ]);
    for (const workspace of [
      elsewhere,
      "/",
      join(l.project, ".."),
      `${l.project}-beside`,
      join(l.project, "way-out"),
      join(l.project, "way-out", "nothing"),
      join(l.project, ".git"),
      join(l.project, ".git", "hooks"),
      join(l.home, "data"),
      "part",
    ])
      expect([workspace, ...(await codes(workspace))]).toEqual([
        workspace,
        "workspace_outside",
        "workspace_outside",
      ]);
    for (const workspace of [join(l.project, "nothing"), join(l.project, "file.txt")])
      expect(await codes(workspace)).toEqual(["workspace_missing", "workspace_missing"]);
    expect((await services.sessions.list(ADA, {})).rows).toEqual([]);
  });

  test("that leads elsewhere since ends the turn, and nothing is written there", async () => {
    const l = lab();
    const elsewhere = temporary();
    mkdirSync(join(l.project, "part"));
    const runtime = await runtimeOf(l);
    const { session_id } = await runtime.services.sessions.create(ADA, {
      workspace: join(l.project, "part"),
      permission_mode: "full_access",
    });
    renameSync(join(l.project, "part"), join(l.project, "moved"));
    symlinkSync(elsewhere, join(l.project, "part"));
    await runtime.services.turns.start(ADA, session_id, { input: "Go." });
    expect(await ended(runtime, session_id)).toMatchObject({ status: "failed" });
    expect(existsSync(join(elsewhere, "made.txt"))).toBe(false);
    expect(await codeOf(runtime.services.tools.call(ADA, session_id, "list_files", {}))).toBe(
      "workspace_unavailable",
    );
    expect((await runtime.services.directories.list(ADA)).recent).toEqual([]);
  });

  test("that the configuration allows no more is used no more", async () => {
    const l = lab();
    const other = temporary();
    const first = await runtimeOf(l, [other]);
    const { session_id } = await first.services.sessions.create(ADA, {
      workspace: other,
      permission_mode: "full_access",
    });
    await stop(first);
    const second = await runtimeOf(l);
    await second.services.turns.start(ADA, session_id, { input: "Go." });
    expect(await ended(second, session_id)).toMatchObject({ status: "failed" });
    expect(existsSync(join(other, "made.txt"))).toBe(false);
  });
});

test("keys lie in no root", async () => {
  const l = lab();
  const started = createRuntime({
    store: { sqlite: join(l.home, "data") },
    workspace: l.project,
    models: [],
    workspaces: { isolate: "never", keepMs: 0, roots: [l.home] },
    env: { XDG_CONFIG_HOME: join(l.home, "config") },
  });
  await expect(started).rejects.toThrow(/directory for keys/);
});
