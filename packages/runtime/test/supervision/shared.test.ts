import { join } from "node:path";
import { connect, createServer, inProcess } from "@fairlead/ahp";
import { serveUnix } from "@fairlead/ahp/unix";
import type { NewEvent, SessionId } from "@fairlead/contract";
import { SYSTEM_STREAM } from "@fairlead/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { PROJECTIONS } from "../../src/domain/projections.ts";
import { newTally } from "../../src/domain/supervision/tally.ts";
import { createHarness } from "../../src/harness/create-harness.ts";
import { loadConfig } from "../../src/host/config-file.ts";
import { createEventLog } from "../../src/log/event-log.ts";
import { createRedactor } from "../../src/log/redact.ts";
import { createSealer } from "../../src/log/seal.ts";
import {
  defaultSupervision,
  openSupervision,
  type OpenSupervisionOptions,
  ownSupervisionFor,
} from "../../src/open-supervision.ts";
import { systemClock } from "../../src/host/clock.ts";
import { systemIds } from "../../src/host/ids.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { openMemoryStore } from "../../src/stores/memory/open.ts";
import { policyOf } from "../policy/support.ts";
import { SEAL_KEY } from "../support/world.ts";
import { call, tempDir, until } from "./support.ts";

const base = { clock: systemClock, ids: systemIds(systemClock), timers: systemTimers };

function partsOf() {
  const log = createEventLog({
    ...base,
    store: openMemoryStore({ clock: systemClock }),
    redactor: createRedactor(),
    sealer: createSealer(SEAL_KEY),
    projections: PROJECTIONS,
  });
  onTestFinished(() => log.close());
  const reported: unknown[] = [];
  return { ...base, log, reported, report: (error: unknown) => void reported.push(error) };
}

function optionsOf(
  path: string | undefined,
  more: Partial<OpenSupervisionOptions> = {},
): OpenSupervisionOptions {
  const config = loadConfig({ cwd: tempDir() });
  const entry = {
    name: "outside",
    on: ["pre_action" as const],
    timeout_ms: 1_000,
    on_failure: "block" as const,
  };
  const supervisors = path === undefined ? [] : [{ ...entry, url: `unix:${path}` }];
  return {
    config: { ...config, supervisors },
    policy: () => policyOf("rules: []"),
    version: "1",
    env: {},
    workspace: tempDir(),
    home: "/home/nobody",
    controls: [],
    warn: () => {},
    ...more,
  };
}

const runIn = (workspace: string) => ({
  session_id: "ses_own" as SessionId,
  agent_id: "fairlead",
  depth: 0,
  workspace,
  tally: newTally(),
});
const before = async (_: readonly NewEvent[]) => {};

describe("supervision opened once", () => {
  test("one connection and one circuit for runs of our own and for foreign agents, and both are told of", async () => {
    const path = join(tempDir(), "outside.sock");
    const asked: string[] = [];
    const told: string[] = [];
    const server = await serveUnix(
      createServer({
        decide: ({ agent_id }) => (asked.push(agent_id), { decision: "allow" }),
        notify: ({ agent_id, session_id, event_type }) =>
          void told.push(`${agent_id} ${session_id} ${event_type}`),
      }),
      { path },
    );
    onTestFinished(() => server.close());
    const parts = partsOf();
    const opened = await openSupervision(parts, optionsOf(path));
    onTestFinished(() => opened.close());
    const own = ownSupervisionFor(opened, parts);
    // The harness needs services only for tokens and people, which nobody asks here.
    const services = {} as Parameters<typeof createHarness>[0]["services"];
    const { rules, guards, externals, workspace } = opened;
    const harness = createHarness(
      { ...parts, services, rules, guards, externals },
      { version: "1", workspace },
    );
    const agent = await connect(inProcess(harness.server, harness.local("bot")), {
      sessionId: "theirs",
      agentId: "a1",
    });
    onTestFinished(() => agent.close());
    const run = runIn(workspace);
    expect((await own.judge(run, "pre_action", call("ls"), before)).decision).toEqual({ decision: "allow" });
    own.notify(run, "post_action", { status: "ok" });
    expect(await agent.decide("pre_action", call("ls"))).toEqual({ decision: "allow" });
    await agent.notify("session_start", {});
    await agent.notify("post_action", { status: "ok" });
    await until(() => told.length === 3);
    expect(asked).toEqual(["fairlead", "a1"]);
    expect(told).toEqual([
      "fairlead ses_own post_action",
      "a1 theirs session_start",
      "a1 theirs post_action",
    ]);
    expect(server.connections).toBe(1);
    await harness.stop();
    // It is not the harness's to close.
    expect((await own.judge(run, "pre_action", call("ls", {}, "b"), before)).decision).toEqual({
      decision: "allow",
    });
    expect(parts.reported).toEqual([]);
  });

  test("notifications that are lost are said on the stream of the installation", async () => {
    const parts = partsOf();
    const opened = await openSupervision(parts, optionsOf(join(tempDir(), "nobody.sock")));
    onTestFinished(() => opened.close());
    const own = ownSupervisionFor(opened, parts);
    own.notify(runIn(opened.workspace), "error", { message: "x" });
    for (;;) {
      const page = (await parts.log.stream(SYSTEM_STREAM))
        ? await parts.log.read(SYSTEM_STREAM, { after: 0, limit: 10 })
        : undefined;
      if (page?.events[0] === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        continue;
      }
      expect(page.events[0].data).toMatchObject({
        kind: "supervisor_notices",
        status: "dropped",
        provider_requested: "outside",
        failure_count: 1,
      });
      break;
    }
  });

  test("a configuration that cannot be followed is an error, not a supervisor less", async () => {
    const options = optionsOf("/x.sock");
    const [entry] = options.config.supervisors;
    const wrong = (more: object) => ({
      ...options,
      config: { ...options.config, supervisors: [{ ...entry, ...more } as never] },
    });
    await expect(openSupervision(partsOf(), wrong({ token_env: "NOT_SET" }))).rejects.toThrow("NOT_SET");
    await expect(openSupervision(partsOf(), wrong({ url: "gopher://x" }))).rejects.toThrow("outside");
  });
});

describe("without a configuration", () => {
  test("the rules that come along judge runs of our own", async () => {
    const parts = partsOf();
    const workspace = tempDir();
    const controls = [join(workspace, "policies")];
    const opened = await defaultSupervision(parts, {
      workspace,
      home: "/home/nobody",
      controls,
      warn: () => {},
    });
    const own = ownSupervisionFor(opened, parts);
    const ask = async (tool: string, args: Record<string, unknown>) => {
      const { decision, by } = await own.judge(runIn(workspace), "pre_action", call(tool, args), before);
      return [decision?.decision, by];
    };
    expect(opened.rules.count).toBeGreaterThan(10);
    expect(await ask("shell", { command: "rm -rf /" })).toEqual(["block", expect.stringMatching(/^rule:/)]);
    expect(await ask("read_file", { path: "src/a.ts" })).toEqual(["allow", "rules"]);
    expect(await ask("shell", { command: "cp mine.yaml policies/" })).toEqual([
      "escalate",
      "builtin:own-controls",
    ]);
  });

  test("a directory that can be no workspace is none", async () => {
    const told: string[] = [];
    const opened = await defaultSupervision(partsOf(), {
      workspace: "/etc",
      home: "/home/nobody",
      controls: [],
      warn: (text) => void told.push(text),
    });
    expect(opened.workspace).toBe("/");
    expect(told[0]).toContain("/etc is no workspace");
  });
});
