import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxState } from "../../src/domain/sandbox.ts";
import { places } from "../../src/host/places.ts";
import { systemTimers } from "../../src/host/timers.ts";
import { openSandbox } from "../../src/host/open-sandbox.ts";
import type { ToolFailure } from "../../src/ports/tool-failure.ts";
import { createToolGateway } from "../../src/services/tools/gateway.ts";
import { createGuard } from "../../src/services/tools/guard.ts";
import { house, put, reasonToSkip, shellIn } from "./sandbox-support.ts";
import { type Tree, tree } from "./support.ts";

/** A program in the place of bubblewrap that fails as it does where user namespaces are refused. */
function refusing(t: Tree): string {
  const program = join(t.outside, "bwrap");
  put(program, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  chmodSync(program, 0o755);
  return program;
}

describe("the choice of a sandbox", () => {
  it("is none where that is configured, and says so", async () => {
    using t = tree();
    const sandbox = await openSandbox(house(t, { mode: "none" }).options);
    expect(sandbox.isolation).toMatchObject({
      requested_backend: "none",
      resolved_backend: "none",
      isolation: "none",
    });
    expect(sandboxState(sandbox.isolation)).toEqual({ sandbox_mode: "none", sandbox_isolation: "none" });
    const ran = await shellIn(sandbox).run({ command: "echo hi" }, t.context());
    expect(ran.result).toMatchObject({ stdout: "hi\n" });
  });

  it.each([
    ["is missing", () => "/no/such/bwrap", "bubblewrap is not installed on this machine."],
    ["is refused its work", refusing, "No permissions to create new namespace"],
  ])("is none on auto where bubblewrap %s, and says why", async (_, program, why) => {
    using t = tree();
    const sandbox = await openSandbox(house(t, { mode: "auto", programs: [program(t)] }).options);
    expect(sandbox.isolation).toMatchObject({
      requested_backend: "auto",
      resolved_backend: "none",
      isolation: "none",
      reason: expect.stringContaining(why),
    });
    expect(sandbox.about).toBeUndefined();
  });

  it.each([
    ["is missing", () => "/no/such/bwrap"],
    ["is refused its work", refusing],
  ])("runs nothing where bubblewrap is demanded and %s", async (_, program) => {
    using t = tree();
    const sandbox = await openSandbox(house(t, { programs: [program(t)] }).options);
    const ran = await shellIn(sandbox).run({ command: "touch ran" }, t.context());
    expect(ran).toMatchObject({
      failed: true,
      text: expect.stringContaining("The command was not run: bubblewrap is"),
      events: [
        {
          type: "runtime.sandbox.notice",
          data: {
            requested_backend: "bubblewrap",
            resolved_backend: "unavailable",
            isolation: "not_run",
          },
        },
      ],
    });
    expect(t.files.names({ workspace: t.workspace, path: "" })).toEqual([]);
    const command = { argv: ["true"] as const, cwd: t.workspace, env: {} };
    expect(() => sandbox.wrap(command, t.workspace)).toThrow("not run");
  });

  it("is told once a turn, with the first command of it, whatever becomes of that", async () => {
    using t = tree();
    const tool = shellIn(await openSandbox(house(t, { mode: "none" }).options));
    const failed = (await tool
      .run({ command: "sleep 9", timeout_ms: 20 }, t.context())
      .catch((error: unknown) => error)) as ToolFailure;
    expect(failed.events).toMatchObject([{ type: "runtime.sandbox.notice" }]);
    expect((await tool.run({ command: "true" }, t.context())).events).toEqual([]);
    const next = await tool.run({ command: "true" }, { ...t.context(), turn_id: "turn_2" });
    expect(next.events).toHaveLength(1);
  });

  it("is recorded for our own shell, and for no other tool that says it", async () => {
    using t = tree();
    const own = shellIn(await openSandbox(house(t, { mode: "none" }).options));
    for (const [origin, types] of [
      ["builtin", ["runtime.sandbox.notice"]],
      ["module:mine.ts", []],
      ["mcp:theirs", []],
    ] as const) {
      const gateway = createToolGateway({
        sources: [{ name: "one", tools: () => [{ ...own, origin }], close: async () => {} }],
        check: createGuard({ places }),
        timers: systemTimers,
        stopwatch: () => performance.now(),
      });
      const call = { tool_call_id: "call_1", name: "shell", arguments: { command: "true" }, repairs: [] };
      const { events } = await gateway.run(call, { ...t.context(), turn_id: origin });
      expect(events.map(({ type }) => type)).toEqual(types);
    }
  });
});

const reason = await reasonToSkip();

describe.skipIf(reason !== undefined)(`bubblewrap${reason ? `: ${reason}` : ""}`, () => {
  it("is chosen on auto where it works, and told with what it means", async () => {
    using t = tree();
    const sandbox = await openSandbox(house(t, { mode: "auto" }).options);
    expect(sandbox.isolation).toEqual({
      requested_backend: "auto",
      resolved_backend: "bubblewrap",
      isolation: "workspace",
      reason: expect.stringContaining("the network is closed"),
      details: { network: "deny" },
    });
    expect(shellIn(sandbox).spec.description).toContain("There is no network.");
  });
});
