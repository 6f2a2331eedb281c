import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionId } from "@fairlead/contract";
import { afterAll, describe, expect, it } from "vitest";
import { createRuntime, type Runtime } from "../../src/create-runtime.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { parseScript } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, SEAL_KEY, everything } from "../support/world.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const STDIO = fileURLToPath(new URL("./mcp-stdio-server.ts", import.meta.url));
const CALLS = {
  rules: [
    {
      rounds: [[{ call: "test__echo", with: { say: "hello" } }], [{ say: "Done." }]],
    },
  ],
};

function open(dir: string): Promise<Runtime> {
  return createRuntime({
    store: { sqlite: join(folder.path, dir) },
    sealKey: SEAL_KEY,
    env: { PATH: process.env["PATH"] },
    models: [scriptedModel({ script: parseScript(JSON.stringify(CALLS), "script") })],
    tools: ToolsConfig.parse({ mcp: [{ name: "test", command: [process.execPath, STDIO] }] }),
    workspace: folder.path,
  });
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => void setTimeout(resolve, 20));
  }
}

async function outcome(runtime: Runtime, session: SessionId) {
  return until(async () => {
    const events = await everything(runtime.log, session);
    if (!events.some(({ type }) => type === "runtime.request.completed")) return undefined;
    return events.find(({ type }) => type === "agent.tool.outcome")?.data;
  });
}

describe("the tools of a server in turns", { timeout: 60_000 }, () => {
  it("are there for the first one", async () => {
    const runtime = await open("first");
    const { sessions, turns } = runtime.services;
    const { session_id } = await sessions.create(ADMIN, { approval_mode: "on_escalation" });
    await turns.start(ADMIN, session_id, { input: "Go" });
    expect(await outcome(runtime, session_id)).toMatchObject({ status: "ok" });
    await runtime.stop();
  });

  it("are there for a call that was approved before a restart", async () => {
    const one = await open("again");
    const { session_id } = await one.services.sessions.create(ADMIN, {});
    await one.services.turns.start(ADMIN, session_id, { input: "Go" });
    const asked = await until(async () => {
      const { rows } = await one.services.questions.list(ADMIN, { session_id });
      return rows[0];
    });
    await one.stop();
    const two = await open("again");
    await two.services.questions.decide(ADMIN, asked.request_id, { decision: "approved" });
    expect(await outcome(two, session_id)).toMatchObject({ status: "ok" });
    await two.stop();
  });
});
