import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@fairlead/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/create-runtime.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA } from "../kernel/support.ts";
import { freshDatabase } from "../support/postgres.ts";
import { everything } from "../support/world.ts";
import { type Lab, lab, temporary } from "./support.ts";

const WRITE: Step = { call: "write_file", with: { path: "one.txt", content: "1" } };

interface Machine {
  readonly store: string;
  readonly l: Lab;
  /** Where this machine keeps what is its own. */
  readonly own: string;
}

/** A process of one machine. It looks for work only when it is told to. */
async function processOn({ store, l, own }: Machine, last: Step): Promise<Runtime> {
  const runtime = await createRuntime({
    store: { postgres: store },
    workspace: l.project,
    sealKey: Buffer.alloc(32, 7),
    models: [scriptedModel({ script: { rules: [{ rounds: [[WRITE], [last]] }] } })],
    env: {
      PATH: process.env["PATH"],
      HOME: l.home,
      FAIRLEAD_DATA: join(own, "data"),
      XDG_CONFIG_HOME: join(own, "config"),
      XDG_STATE_HOME: join(own, "state"),
    },
  });
  onTestFinished(() => runtime.stop());
  return runtime;
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 1_500; i++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  }
  throw new Error("it did not come to pass");
}

const typesOf = async ({ log }: Runtime, session: SessionId) =>
  (await everything(log, session)).map(({ type }) => type);

/** Each log has a directory of its own there. */
function hostDirectory({ own }: Machine): string {
  const data = join(own, "data");
  return join(data, String(readdirSync(data).find((name) => name.startsWith("workspaces-"))));
}

/** A session that has written on one machine, whose process has stopped since, and a process of another machine. */
async function leftBehind() {
  const store = await freshDatabase();
  const l = lab();
  const [here, there] = [
    { store, l, own: temporary() },
    { store, l, own: temporary() },
  ];
  const first = await processOn(here, { hang: true });
  const { session_id } = await first.services.kernel.start(ADA, {
    task: "Go.",
    permission_mode: "full_access",
  });
  await until(async () =>
    (await typesOf(first, session_id)).includes("agent.tool.outcome") ? true : undefined,
  );
  await first.stop();
  const row = async (runtime: Runtime) => runtime.services.sessions.get(ADA, session_id);
  return { here, session_id, row, other: await processOn(there, { say: "Done." }) };
}

describe("work whose files are on another machine", () => {
  test("is left to the processes there, and goes on with them", async () => {
    const { here, session_id, row, other } = await leftBehind();
    const before = await row(other);
    expect(before.state?.workspace_host).toBe(readFileSync(join(hostDirectory(here), "host"), "utf8").trim());
    const events = await typesOf(other, session_id);
    expect(await other.services.turns.recover()).toBe(0);
    expect(await other.services.turns.wake(session_id)).toBe(false);
    expect(await row(other)).toEqual(before);
    expect(await typesOf(other, session_id)).toEqual(events);

    const back = await processOn(here, { say: "Done." });
    expect(await back.services.turns.recover()).toBe(1);
    const ended = await until(async () => {
      const now = await row(back);
      return now.status === "completed" || now.status === "failed" ? now : undefined;
    });
    expect(ended.state).toMatchObject({
      status: "completed",
      attempt_count: before.state?.attempt_count,
      last_error: null,
    });
    expect(existsSync(join(String(ended.state?.workspace), "one.txt"))).toBe(true);
  });

  test("can be cancelled from anywhere, and branched without its files", async () => {
    const { session_id, row, other } = await leftBehind();
    const branch = await other.services.branches.branch(ADA, session_id, {});
    expect(branch.state).not.toHaveProperty("workspace_host");
    const seed = (await everything(other.log, branch.session_id)).find(
      ({ type, data }) =>
        type === "runtime.session.checkpoint" &&
        (data as { checkpoint_type: string }).checkpoint_type === "resume_seed",
    );
    expect(seed?.data).toMatchObject({ details: { workspace: { kind: "project" } } });
    await other.services.kernel.cancel(ADA, session_id, "Its machine is gone.");
    expect(await row(other)).toMatchObject({ status: "cancelled" });
  });

  test("ends when its time is over, whoever finds that", async () => {
    const { session_id, row, other } = await leftBehind();
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    await other.services.kernel.setPolicy(ADA, session_id, { expires_at });
    expect(await other.services.kernel.expireDue()).toBe(1);
    const ended = await until(async () => {
      const now = await row(other);
      return now.status === "failed" ? now : undefined;
    });
    expect(ended.state?.last_error).toMatch(/time/);
  });

  test("says where it is to who calls a tool in it", async () => {
    const { session_id, row, other } = await leftBehind();
    const host = String((await row(other)).state?.workspace_host);
    const calling = other.services.tools.call(ADA, session_id, "read_file", { path: "one.txt" });
    await expect(calling).rejects.toMatchObject({
      code: "workspace_unavailable",
      message: expect.stringContaining(host),
    });
  });
});
