import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { background, call, callJson, cli, makePlace, type Place, serve } from "./support.ts";

const RULES = `
rules:
  - { id: no-rm, on: [pre_action], when: 'event.payload.tool_name == "rm"', decide: block, reason: Never. }
  - { id: ask, on: [pre_action], when: 'event.payload.tool_name == "push"', decide: escalate, reason: Ask first. }
`;

interface Listening {
  readonly url: string;
  readonly ahp: string;
  readonly unix: string;
}

function withRules(place: Place): void {
  mkdirSync(join(place.cwd, "rules"));
  writeFileSync(join(place.cwd, "rules", "own.yaml"), RULES);
}

async function start(place: Place, args: readonly string[] = []) {
  const running = background(place, ["harness", "--json", ...args]);
  const line = await running.until(/\{"event":"listening".*\}/);
  return { ...running, ...(JSON.parse(line) as Listening) };
}

const message = (id: string, method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const hello = (session_id: string) =>
  message("hello", "ahp/handshake", {
    protocol_version: "2.4",
    agent_info: { framework: "test", version: "1", capabilities: [] },
    session_id,
    agent_id: "me",
  });
const question = (id: string, session_id: string, tool_name: string) =>
  message(id, "ahp/event", {
    event_type: "pre_action",
    session_id,
    agent_id: "me",
    timestamp: new Date().toISOString(),
    depth: 0,
    payload: { tool_name, arguments: {} },
  });

/** An agent as any language would write it: lines over a socket. */
async function plainAgent(path: string, session: string) {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const ask = async (line: string) => {
    socket.write(`${line}\n`);
    const { value } = await answers.next();
    return (JSON.parse(String(value)) as { result: Record<string, unknown> }).result;
  };
  await ask(hello(session));
  return (tool: string) => ask(question(tool, session, tool));
}

describe("fairlead harness", () => {
  test(
    "supervises over a socket; people see it and decide, also after kill -9",
    { timeout: 60_000 },
    async () => {
      const place = makePlace();
      withRules(place);
      writeFileSync(
        join(place.cwd, "fairlead.yaml"),
        "policies: rules\nharness: { timeout_ms: 1000, retry_after_ms: 77 }\n",
      );
      const first = await start(place);
      expect(statSync(first.unix).mode & 0o777).toBe(0o600);
      const ask = await plainAgent(first.unix, "mine");
      expect(await ask("ls")).toEqual({ decision: "allow" });
      expect(await ask("rm")).toEqual({ decision: "block", reason: "Never." });
      expect(await ask("push")).toMatchObject({ decision: "defer", retry_after_ms: 77 });
      const { rows: sessions } = await callJson<{ rows: { kind: string }[] }>(place, ["sessions"]);
      expect(sessions).toMatchObject([{ kind: "supervised" }]);
      first.child.kill("SIGKILL");
      await first.ended;

      const second = await start(place);
      const { rows: approvals } = await callJson<{ rows: { request_id: string; reason: string }[] }>(place, [
        "approvals",
      ]);
      expect(approvals).toMatchObject([{ reason: "Ask first." }]);
      const decided = await callJson<{ state: string }>(place, ["approve", approvals[0]?.request_id ?? ""]);
      expect(decided).toMatchObject({ state: "approved" });
      const again = await plainAgent(second.unix, "mine");
      expect(await again("push")).toEqual({ decision: "allow" });
      expect(await again("push")).toMatchObject({ decision: "defer" });
      expect((await callJson<{ ok: boolean }>(place, ["verify"])).ok).toBe(true);
      const third = await callJson<{ rows: unknown[] }>(place, ["sessions"]);
      expect(third.rows).toHaveLength(1);
    },
  );

  test("over stdio, alone and beside a server", { timeout: 60_000 }, async () => {
    const place = makePlace();
    withRules(place);
    const stdin = `${hello("pipe")}\n${question("1", "pipe", "ls")}\n${question("2", "pipe", "rm")}\n`;
    const answersOf = ({ stdout }: { stdout: string }) =>
      stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { result: { decision?: string } }).result.decision);
    const alone = await cli(place, ["harness", "--stdio", "--policies", "rules"], { stdin });
    expect(answersOf(alone), alone.stderr).toEqual([undefined, "allow", "block"]);
    await serve(place, ["--policies", "rules"]);
    const beside = await cli(place, ["harness", "--stdio"], { stdin });
    expect(answersOf(beside), beside.stderr).toEqual([undefined, "allow", "block"]);
    expect(beside.code).toBe(0);
    const { rows: tokens } = await callJson<{ rows: { role: string; revoked_at: string | null }[] }>(place, [
      "token",
      "list",
    ]);
    expect(tokens.filter(({ role, revoked_at }) => role === "agent" && revoked_at === null)).toEqual([]);
  });

  test("changed rules count at once, broken ones never", { timeout: 30_000 }, async () => {
    const place = makePlace();
    withRules(place);
    const file = join(place.cwd, "rules", "own.yaml");
    const { unix } = await start(place, ["--policies", "rules"]);
    const ask = await plainAgent(unix, "mine");
    expect(await ask("ls")).toEqual({ decision: "allow" });
    writeFileSync(file, "rules: [{ id: nothing, on: [pre_action], decide: block, reason: Closed. }]\n");
    await expect.poll(() => ask("ls"), { timeout: 10_000 }).toEqual({ decision: "block", reason: "Closed." });
    writeFileSync(file, "rules: [{ id: nothing, on: [pre_action], when: 'nonsense(', decide: allow }]\n");
    await sleep(500);
    expect(await ask("ls")).toEqual({ decision: "block", reason: "Closed." });
  });

  test("says where a server serves agents already", { timeout: 30_000 }, async () => {
    const place = makePlace();
    const { url } = await serve(place);
    const { code, stderr } = await cli(place, ["harness"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${url}/ahp`);
  });

  test("a configuration that is wrong is refused with its place", { timeout: 30_000 }, async () => {
    const place = makePlace();
    const file = join(place.cwd, "fairlead.yaml");
    for (const [text, where] of [
      ["harness:\n  timeout_ms: soon\n", "fairlead.yaml:2:15"],
      ["supervisors:\n  - name: a\n    url: http://x\n    command: [y]\n", "fairlead.yaml:2:5"],
      ["harnes: {}\n", "fairlead.yaml:1:1"],
      ["harness: [\n", "fairlead.yaml:"],
      ["supervisors: [{ name: a, url: 'grpc://x' }]\n", "gRPC"],
    ] as const) {
      writeFileSync(file, text);
      const { code, stderr } = await call(place, ["harness"]);
      expect(code, text).toBe(1);
      expect(stderr).toContain(where);
    }
  });
});
