import type { SessionId } from "@fairlead/contract";
import { describe, expect, it } from "vitest";
import { places } from "../../src/host/places.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { createDirectTools, type DirectDeps } from "../../src/services/tools/direct.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { createGuard } from "../../src/services/tools/guard.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { ADMIN, everything, world } from "../support/world.ts";
import { type Tree, tree } from "./support.ts";

async function direct(t: Tree, permit: DirectDeps["permit"] = async () => ({ ok: true })) {
  const { log, services, time } = world();
  const session_id = (await services.sessions.create(ADMIN, {})).session_id;
  const gateway = createToolGateway({
    sources: [{ name: "builtin", tools: () => [readFile(t.files)], close: async () => {} }],
    check: createGuard({ places }),
    timers: systemTimers,
    stopwatch: () => performance.now(),
  });
  const call = createDirectTools({
    gateway,
    log,
    clock: time.clock,
    permit,
    after: async () => {},
    files: { before: async () => [], after: async () => [] },
    presence: { during: (work) => work(undefined) },
    withdraw: services.questions.withdraw,
  });
  return {
    call: (args: Record<string, unknown>, stream = session_id) =>
      call({
        session_id: stream,
        request_id: "req_1",
        agent_id: "operator",
        call: { tool_call_id: "call_1", name: "read_file", arguments: JSON.stringify(args) },
        workspace: t.workspace,
        signal: new AbortController().signal,
      }),
    events: async () =>
      (await everything(log, session_id)).filter(
        ({ type }) => type.startsWith("runtime.tool") || type.includes("artifact"),
      ),
  };
}

describe("direct calls", () => {
  it("are recorded before and after they run", async () => {
    using t = tree();
    t.put("a", "hello");
    const { call, events } = await direct(t);
    expect(await call({ path: "a" })).toMatchObject({
      status: "ran",
      outcome: { status: "ok", told: "hello" },
    });
    const [started, completed] = await events();
    expect(started).toMatchObject({
      type: "runtime.tool.direct.started",
      turn_id: "req_1",
      agent_id: "operator",
      data: { tool_id: "read_file", tool_call_id: "call_1", effect: "none", arguments: { path: "a" } },
    });
    expect(completed).toMatchObject({
      type: "runtime.tool.direct.completed",
      turn_id: "req_1",
      cause: started?.id,
      data: { tool_id: "read_file", output: { path: "a", content: "hello" } },
    });
  });

  it("that fail are completed with the error", async () => {
    using t = tree();
    t.put("b", Buffer.from([0]));
    const { call, events } = await direct(t);
    expect(await call({ path: "b" })).toMatchObject({ status: "ran", outcome: { status: "error" } });
    expect((await events()).at(-1)?.data).toMatchObject({
      output: { status: "error", error: expect.stringContaining("binary file") },
    });
  });

  it("that are wrong or not permitted do not start", async () => {
    using t = tree();
    t.put("a", "hello");
    const wrong = await direct(t);
    expect(await wrong.call({ path: "../x" })).toMatchObject({
      status: "invalid",
      faults: [{ kind: "path" }],
    });
    expect(await wrong.events()).toEqual([]);
    const denied = await direct(t, async () => ({ ok: false, reason: "not now" }));
    expect(await denied.call({ path: "a" })).toEqual({ status: "denied", reason: "not now" });
    const broken = await direct(t, () => Promise.reject(new Error("down")));
    expect(await broken.call({ path: "a" })).toMatchObject({
      status: "denied",
      reason: expect.stringContaining("down"),
    });
    expect([...(await denied.events()), ...(await broken.events())]).toEqual([]);
  });

  it("do not run when they cannot be recorded", async () => {
    using t = tree();
    t.put("a", "hello");
    const { call } = await direct(t);
    await expect(call({ path: "a" }, "ses_9999" as SessionId)).rejects.toThrow(
      "There is no stream ses_9999.",
    );
  });
});
