import { readFileSync, readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import type { EventType, SessionId, StoredEvent } from "@fairlead/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Runtime, type RuntimeOptions, createRuntime } from "../../src/create-runtime.ts";
import { is } from "../../src/domain/event.ts";
import { ToolsConfig } from "../../src/host/tools-config.ts";
import { compatibleModel } from "../../src/models/compatible.ts";
import type { Rule } from "../../src/models/script.ts";
import { scriptedModel } from "../../src/models/scripted.ts";
import { serveModel } from "../../src/models/serve/server.ts";
import { temporaryFolder } from "../stores.ts";
import { ADMIN, codeOf, everything } from "../support/world.ts";

const model = (...rules: readonly Rule[]) => scriptedModel({ script: { rules: [...rules] } });

/** Looks again and again: processes and sockets end in their own time. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (await isSo()) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 5));
  }
  throw new Error("It did not come to pass.");
}

interface Play {
  readonly runtime: Runtime;
  readonly session: SessionId;
  events<T extends EventType>(type: T): Promise<readonly StoredEvent<T>[]>;
  /** Waits until there are so many of the type. */
  seen(type: EventType, count?: number): Promise<void>;
  /** Cancels, and sees that the turn has one end and that nothing follows it. */
  cancel(): Promise<void>;
}

async function play(options: Partial<RuntimeOptions>, permission_mode = "normal"): Promise<Play> {
  const work = temporaryFolder();
  const runtime = await createRuntime({
    store: "memory",
    env: process.env,
    workspace: work.path,
    ...options,
  });
  onTestFinished(async () => {
    await runtime.stop();
    work.remove();
  });
  const { sessions, turns } = runtime.services;
  const { session_id: session } = await sessions.create(ADMIN, { permission_mode } as never);
  const events = async <T extends EventType>(type: T) =>
    (await everything(runtime.log, session)).filter((event) => is(event, type));
  return {
    runtime,
    session,
    events,
    seen: (type, count = 1) => until(async () => (await events(type)).length >= count),
    async cancel() {
      const { turn_id } = await turns.cancel(ADMIN, session, "enough");
      const own = (await events("runtime.turn.ended")).filter((event) => event.turn_id === turn_id);
      const ends = own.map(({ data }) => data).filter(({ status }) => status !== "parked");
      expect(ends).toMatchObject([{ status: "cancelled", reason: "enough" }]);
      expect(await codeOf(turns.cancel(ADMIN, session))).toBe("turn_not_found");
    },
  };
}

/** In front of a server: says whether somebody is connected to it. */
async function doorOf(url: string): Promise<{ url: string; inside(): number }> {
  let inside = 0;
  const door = createServer((socket) => {
    inside += 1;
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const side of [socket, onward]) side.on("error", () => side.destroy());
    onward.on("close", () => (inside -= 1));
  });
  await new Promise<void>((resolve) => void door.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void door.close());
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, inside: () => inside };
}

describe("cancel, while the model speaks over HTTP,", () => {
  it.each([
    ["in the middle of its answer", [{ say: "Once upon" }, { hang: true }]],
    ["before its first word", [{ hang: true }]],
  ] as const)("closes the connection %s", async (_, steps) => {
    const asked: string[] = [];
    const server = await serveModel({
      script: { rules: [{ do: [...steps] }] },
      observe: (path) => void asked.push(path),
    });
    onTestFinished(() => server.close());
    const door = await doorOf(server.url);
    const { runtime, session, cancel, seen } = await play({
      models: [compatibleModel({ id: "any", baseUrl: `${door.url}/v1` })],
    });
    await runtime.services.turns.start(ADMIN, session, { input: "Tell me a story." });
    await until(() => asked.length === 1);
    if (steps.length > 1) await seen("agent.output.delta");
    expect(door.inside()).toBe(1);
    await cancel();
    await until(() => door.inside() === 0);
    // It was not tried again either.
    expect(asked).toHaveLength(1);
  });
});

/** Processes whose command line holds this word. */
function running(word: string): number {
  let found = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words[0] === "sleep" && words.includes(word)) found += 1;
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

describe("cancel, while a command runs,", () => {
  it.each(["none", "auto"] as const)("ends all that it started, in the sandbox %s", async (mode) => {
    const mark = `300.${process.pid}${mode === "none" ? 1 : 2}`;
    const command = `sh -c 'sleep ${mark} & sleep ${mark}'`;
    const { runtime, session, cancel, seen, events } = await play(
      {
        models: [model({ rounds: [[{ call: "shell", with: { command } }], [{ say: "Done." }]] })],
        tools: ToolsConfig.parse({ sandbox: { mode } }),
      },
      "full_access",
    );
    await runtime.services.turns.start(ADMIN, session, { input: "Sleep." });
    await seen("agent.tool.batch");
    await until(() => running(mark) === 2);
    await cancel();
    expect(running(mark)).toBe(0);
    const outcomes = await events("agent.tool.outcome");
    expect(outcomes.map(({ data }) => data)).toMatchObject([{ tool_name: "shell", status: "error" }]);
    const { children = [] } = outcomes[0]?.data ?? {};
    expect(children.length).toBeGreaterThan(0);
    for (const child of children)
      expect(child).toEqual({ pid: expect.any(Number), ended: expect.any(String) });
    if (mode === "none") expect(children.length).toBeGreaterThan(1);
  });
});

describe("cancel, while a person is asked,", () => {
  it("withdraws the question, and a late decision does nothing", async () => {
    const { runtime, session, cancel, seen, events } = await play({
      models: [
        model({ rounds: [[{ call: "write_file", with: { path: "a", content: "b" } }], [{ say: "Done." }]] }),
      ],
    });
    const { questions, turns } = runtime.services;
    await turns.start(ADMIN, session, { input: "Write." });
    await seen("runtime.turn.ended");
    const pending = () => questions.list(ADMIN, { session_id: session, state: "pending" });
    const [question] = (await pending()).rows;
    await cancel();
    expect((await pending()).rows).toEqual([]);
    const late = questions.decide(ADMIN, question?.request_id ?? "", { decision: "approved" });
    expect(await codeOf(late)).toBe("question_expired");
    await turns.recover();
    expect(await events("agent.tool.start")).toEqual([]);
    expect(await events("runtime.turn.resumed")).toEqual([]);
  });
});

describe("cancel, where requests wait,", () => {
  const hello = [
    { when: "long", do: [{ say: "I begin" }, { hang: true }] },
    { do: [{ say: "Hello." }] },
  ] satisfies Rule[];

  it("ends the turn under way alone: the next one begins", async () => {
    const { runtime, session, seen, events } = await play({ models: [model(...hello)] });
    const { turns } = runtime.services;
    const { turn_id } = await turns.start(ADMIN, session, { input: "A long story." });
    await seen("agent.output.delta");
    await turns.queue(ADMIN, session, { input: "Hi" });
    expect(await turns.cancel(ADMIN, session, "enough")).toEqual({ turn_id });
    await seen("runtime.turn.ended", 2);
    const ends = (await events("runtime.turn.ended")).map(({ data }) => data);
    expect(ends).toMatchObject([{ turn_id, status: "cancelled" }, { status: "completed" }]);
  });

  it("finds nothing to end where no turn has begun, and takes nothing away", async () => {
    const { runtime, session, seen, events } = await play({ models: [model(...hello)] });
    const { turns } = runtime.services;
    // As left by a process that died before it began the turn.
    const data = { input_id: runtime.ids.next("input"), mode: "queue", input: "Hi", actor: "root" };
    const queued = { type: "runtime.input.queued", cause: null, seal: true, data } as const;
    const appended = await runtime.log.append({
      writes: [{ stream: session, events: [queued as never] }],
    });
    expect(appended.ok).toBe(true);
    expect(await codeOf(turns.cancel(ADMIN, session))).toBe("turn_not_found");
    expect(await events("runtime.request.started")).toEqual([]);
    expect(await turns.recover()).toBe(1);
    await seen("runtime.request.completed");
  });
});
