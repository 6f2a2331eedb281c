import { existsSync, linkSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionId } from "@fairlead/contract";
import { openPlaces } from "../../src/open-workspaces.ts";
import { createRuntime, type Runtime } from "../../src/create-runtime.ts";
import { hostFiles } from "../../src/host/workspace-files.ts";
import type { Step } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { ADA } from "../kernel/support.ts";
import { everything } from "../support/world.ts";
import { filesOf, type Lab, lab, write } from "./support.ts";

const shell = (command: string): Step => ({ call: "shell", with: { command } });

async function runtimeOf(l: Lab, rounds: readonly (readonly Step[])[], more = {}): Promise<Runtime> {
  const runtime = await createRuntime({
    store: { sqlite: join(l.project, ".fairlead") },
    workspace: l.project,
    sealKey: Buffer.alloc(32, 7),
    models: [scriptedModel({ script: { rules: [{ rounds: rounds.map((round) => [...round]) }] } })],
    env: {
      PATH: process.env["PATH"],
      HOME: l.home,
      XDG_CONFIG_HOME: join(l.home, "config"),
      XDG_STATE_HOME: join(l.home, "state"),
    },
    ...more,
  });
  await runtime.start();
  return runtime;
}

async function run({ services }: Runtime): Promise<SessionId> {
  const { session_id } = await services.kernel.start(ADA, { task: "Go.", permission_mode: "full_access" });
  return session_id;
}

async function ended({ services, log }: Runtime, session: SessionId) {
  for (let i = 0; i < 2_000; i++) {
    const row = await services.sessions.get(ADA, session);
    if (["completed", "failed"].includes(row.status)) return row;
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  }
  throw new Error(
    JSON.stringify((await everything(log, session)).slice(-6).map(({ type, data }) => [type, data])),
  );
}

describe("the runtime put together", () => {
  test("has background work write where it does no harm, with its data inside of the project", async () => {
    const l = lab();
    const before = filesOf(l.project);
    const runtime = await runtimeOf(l, [
      [shell("pwd > where.txt; echo changed > src/a.txt")],
      [{ say: "Done." }],
    ]);
    try {
      const row = await ended(runtime, await run(runtime));
      expect([row.status, row.state?.last_error]).toEqual(["completed", null]);
      const path = String(row.state?.workspace);
      expect(path).toBe(
        join(l.home, "state/fairlead/workspaces", basename(dirname(path)), String(row.state?.workspace_id)),
      );
      expect(readFileSync(join(path, "where.txt"), "utf8")).toBe(`${path}\n`);
      const after = Object.entries(filesOf(l.project)).filter(([name]) => !name.startsWith(".fairlead/"));
      expect(Object.fromEntries(after)).toEqual(before);
      expect(l.git("show", `fairlead/${row.session_id}:src/a.txt`)).toBe("changed\n");
    } finally {
      await runtime.stop();
    }
  });

  test("goes on in the same place after a restart", async () => {
    const l = lab();
    const models = {
      models: [
        scriptedModel({ script: { rules: [{ rounds: [[shell("echo 1 > one.txt")], [{ hang: true }]] }] } }),
      ],
    };
    const first = await runtimeOf(l, [], models);
    const session = await run(first);
    for (let i = 0; i < 2_000; i++) {
      const types = (await everything(first.log, session)).map(({ type }) => type);
      if (types.includes("agent.tool.outcome")) break;
      await new Promise<void>((resolve) => void setTimeout(resolve, 10));
    }
    await first.stop();
    const second = await runtimeOf(l, [[shell("echo 1 > one.txt")], [{ say: "Done." }]]);
    try {
      const row = await ended(second, session);
      expect(row.status).toBe("completed");
      expect(l.git("show", `fairlead/${session}:one.txt`)).toBe("1\n");
      expect(existsSync(join(l.project, "one.txt"))).toBe(false);
    } finally {
      await second.stop();
    }
  });

  test("has it write in the project where the configuration wants that", async () => {
    const l = lab();
    const never = { workspaces: { isolate: "never", keepMs: 0 } };
    const runtime = await runtimeOf(l, [[shell("echo 1 > one.txt")], [{ say: "Done." }]], never);
    try {
      const row = await ended(runtime, await run(runtime));
      expect(row.state).toMatchObject({ status: "completed", workspace_id: null });
      expect(readFileSync(join(l.project, "one.txt"), "utf8")).toBe("1\n");
    } finally {
      await runtime.stop();
    }
  });

  test("keeps the places of one log apart from those of another", () => {
    const l = lab();
    const parts = { env: {}, clock: { now: () => 0 }, home: l.home, own: [l.data] };
    const at = (store: Parameters<typeof openPlaces>[0]["store"]) =>
      openPlaces({ store }, parts)?.workspaces.pathOf("ws_one");
    const places = [
      at({ sqlite: l.data }),
      at({ postgres: "postgres://ada:old@db.example:5432/one" }),
      at({ postgres: "postgres://db.example:5432/two" }),
    ];
    expect(new Set(places).size).toBe(3);
    for (const place of places)
      expect(place).toMatch(new RegExp(`^${l.home}/.local/state/fairlead/workspaces/`));
    // Another password is no other log.
    expect(at({ postgres: "postgres://ada:new@db.example:5432/one" })).toBe(places[1]);
    expect(at("memory")).toBeUndefined();
  });

  test("files of workspaces keep nobody from reading a file that has two names", () => {
    const l = lab();
    const places = join(l.home, "places");
    write(places, "ws_one/1.txt", "another's");
    write(l.data, "log.sqlite", "ours");
    write(l.project, "a.txt", "two names");
    linkSync(join(l.project, "a.txt"), join(l.project, "b.txt"));
    linkSync(join(l.data, "log.sqlite"), join(l.project, "c.txt"));
    linkSync(join(places, "ws_one/1.txt"), join(l.project, "d.txt"));
    const files = hostFiles({ hidden: [l.data, places], open: [places], fixed: [] });
    const read = (path: string, workspace = l.project) =>
      Buffer.from(files.read({ workspace, path }, 1_000).bytes).toString("utf8");
    expect([read("b.txt"), read("d.txt")]).toEqual(["two names", "another's"]);
    expect(() => read("c.txt")).toThrow(/not open to tools/);
    expect(() => read("places/ws_one/1.txt", l.home)).toThrow(/not open to tools/);
  });
});
