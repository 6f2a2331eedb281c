import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createRuntime } from "../src/create-runtime.ts";
import { temporaryFolder } from "./stores.ts";
import { ADMIN, SEAL_KEY, everything } from "./support/world.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await check()) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error("it did not come to pass");
}

describe("a runtime", () => {
  it("runs a turn through everything, with the script that the environment names", async () => {
    const path = join(folder.path, "script.json");
    writeFileSync(path, JSON.stringify({ rules: [{ do: [{ say: "Scripted: {{prompt}}" }] }] }));
    const runtime = await createRuntime({ store: "memory", env: { FAIRLEAD_SCRIPT: path } });
    await runtime.start();
    const { sessions, turns } = runtime.services;
    const { session_id } = await sessions.create(ADMIN, {});
    await turns.start(ADMIN, session_id, { input: "Hello" });
    await until(async () => (await sessions.get(ADMIN, session_id)).turn_id === null);
    const completed = (await everything(runtime.log, session_id)).find(
      (event) => event.type === "runtime.request.completed",
    );
    expect(completed?.data).toMatchObject({ output: "Scripted: Hello" });
    await runtime.stop();
    await expect(turns.start(ADMIN, session_id, { input: "Hello" })).rejects.toMatchObject({
      code: "shutting_down",
    });
  });

  it("parks turns under way when it stops, finds everything again, and goes on with them", async () => {
    const dir = join(folder.path, "data");
    const open = () => createRuntime({ store: { sqlite: dir }, sealKey: SEAL_KEY, env: {} });
    const one = await open();
    await one.start();
    const { session_id } = await one.services.sessions.create(ADMIN, { alias: "mine" });
    const { secret } = await one.services.tokens.create(ADMIN, { actor: "cli", role: "admin" });
    await one.services.turns.start(ADMIN, "mine", { input: "Hello", idempotencyKey: "k" });
    await expect(open()).rejects.toMatchObject({ code: "store_locked" });
    await one.stop("bye");
    const two = await open();
    expect((await everything(two.log, session_id)).at(-2)).toMatchObject({
      type: "runtime.turn.ended",
      data: { status: "parked", reason: "bye", waits: [] },
    });
    expect(await two.services.tokens.authenticate(secret)).toMatchObject({ name: "cli" });
    expect(
      await two.services.turns.start(ADMIN, "mine", { input: "Hello", idempotencyKey: "k" }),
    ).toMatchObject({ turn_id: expect.stringMatching(/^trn_/), seq: 2 });
    await two.start();
    await until(async () => (await two.services.sessions.get(ADMIN, "mine")).turn_id === null);
    const ends = (await everything(two.log, session_id)).filter(({ type }) => type === "runtime.turn.ended");
    expect(ends.map(({ data }) => data)).toMatchObject([{ status: "parked" }, { status: "completed" }]);
    expect((await two.log.verify()).broken).toEqual([]);
    await two.stop();
  });

  it("keeps the key for sealed data outside the data directory", async () => {
    const config = join(folder.path, "home", ".config");
    const env = { XDG_CONFIG_HOME: config };
    const runtime = await createRuntime({ store: { sqlite: join(folder.path, "sealed") }, env });
    await runtime.stop();
    await expect(createRuntime({ store: { sqlite: join(folder.path, "home") }, env })).rejects.toThrow(
      /inside the data directory/,
    );
    await expect(
      createRuntime({ store: { sqlite: join(folder.path, "sealed") }, env, workspace: folder.path }),
    ).rejects.toThrow(/inside the workspace/);
  });

  it("goes on with the turn that a killed process left open", async () => {
    const dir = join(folder.path, "killed");
    const program = `
      const { createRuntime } = await import(${JSON.stringify(new URL("../src/create-runtime.ts", import.meta.url).href)});
      const admin = { name: "root", role: "admin", project: null, token_id: null };
      const runtime = await createRuntime({ store: { sqlite: ${JSON.stringify(dir)} }, env: { FAIRLEAD_SEAL_KEY: "00".repeat(32) } });
      await runtime.start();
      const { session_id } = await runtime.services.sessions.create(admin, { alias: "left" });
      await runtime.services.turns.start(admin, session_id, { input: "Hello" });
      console.log("started");
      setTimeout(() => {}, 60_000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve) => void child.stdout.once("data", () => resolve()));
    const gone = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await gone;
    // The dead process's lease runs out by the clock, so the clock is put forward.
    const runtime = await createRuntime({
      store: { sqlite: dir },
      sealKey: SEAL_KEY,
      env: {},
      clock: { now: () => Date.now() + 11_000 },
    });
    expect((await runtime.services.sessions.get(ADMIN, "left")).status).toBe("running");
    await runtime.start();
    await until(async () => (await runtime.services.sessions.get(ADMIN, "left")).turn_id === null);
    const row = await runtime.services.sessions.get(ADMIN, "left");
    expect(row).toMatchObject({ status: "idle", turn_id: null });
    const types = (await everything(runtime.log, row.session_id)).map(({ type }) => type);
    expect(types.filter((type) => type === "runtime.turn.resumed")).toHaveLength(1);
    expect(types.filter((type) => type === "runtime.request.completed")).toHaveLength(1);
    await runtime.stop();
  });

  it("loads no driver that it does not use", async () => {
    const program = `
      const { createRuntime } = await import(${JSON.stringify(new URL("../src/create-runtime.ts", import.meta.url).href)});
      await (await createRuntime({ store: "memory", env: {} })).stop();
      const { createRequire } = await import("node:module");
      console.log(Object.keys(createRequire(process.cwd() + "/x").cache).filter((path) => /node_modules.pg./.test(path)).length);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout) said += String(chunk);
    expect(said.trim()).toBe("0");
  });
});
