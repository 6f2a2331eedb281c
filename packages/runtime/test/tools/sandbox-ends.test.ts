import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../../src/host/open-sandbox.ts";
import type { ToolFailure } from "../../src/ports/tool-failure.ts";
import {
  appears,
  house,
  processesWith,
  reasonToSkip,
  shellIn,
  treeElsewhere,
  until,
} from "./sandbox-support.ts";

const reason = await reasonToSkip();
/** A duration nobody else sleeps for. */
const odd = () => `6${Math.random().toString().slice(2, 12)}.5`;

describe.skipIf(reason !== undefined)(`what bubblewrap runs ends${reason ? `: ${reason}` : ""}`, () => {
  it("politely on cancel: it can tidy up, and its exit code is kept", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const abort = new AbortController();
    const word = odd();
    const command = `trap 'echo tidy > tidied; exit 7' TERM; sleep ${word} & touch up; wait`;
    const running = shellIn(sandbox)
      .run({ command }, t.context(abort.signal))
      .catch((error: unknown) => error);
    await appears(join(t.workspace, "up"));
    abort.abort();
    const ended = (await running) as ToolFailure;
    expect(ended.kind).toBe("cancelled");
    expect(ended.children[0]?.ended).toBe("exited 7");
    expect(readFileSync(join(t.workspace, "tidied"), "utf8")).toBe("tidy\n");
    expect(processesWith(word)).toEqual([]);
  });

  it("by force where it ignores that, with what left its group, its session and its environment", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const [one, two] = [odd(), odd()];
    const command = `trap '' TERM; env -i setsid sleep ${one} & sleep ${two} & echo up; wait`;
    const ended = await shellIn(sandbox)
      .run({ command, timeout_ms: 500 }, t.context())
      .catch((error: unknown) => error as ToolFailure);
    expect(ended).toMatchObject({ kind: "timeout", message: expect.stringContaining("up") });
    expect([...processesWith(one), ...processesWith(two)]).toEqual([]);
  });

  it("with the command: nothing stays in the background", async () => {
    using t = treeElsewhere();
    const sandbox = await openSandbox(house(t).options);
    const word = odd();
    const ran = await shellIn(sandbox).run({ command: `env -i setsid sleep ${word} & echo up` }, t.context());
    expect(ran.result).toMatchObject({ exit_code: 0, stdout: "up\n" });
    expect(processesWith(word)).toEqual([]);
  });

  it("with us: when this process is killed, so is the command", async () => {
    using t = treeElsewhere();
    const word = odd();
    const program = `
      import { openSandbox } from ${JSON.stringify(source("host/open-sandbox.ts"))};
      import { hostProcesses } from ${JSON.stringify(source("host/processes.ts"))};
      const options = ${JSON.stringify(house(t).options)};
      const sandbox = await openSandbox(options);
      const cwd = options.workspace;
      const command = sandbox.wrap({ argv: ["/bin/sh", "-c", "touch up; sleep ${word}"], cwd, env: { PATH: "/usr/bin:/bin" } }, cwd);
      const keep = { head: 100, tail: 100 };
      await hostProcesses.run(command, { signal: new AbortController().signal, graceMs: 100, keep });
    `;
    const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const exited = once(parent, "exit");
    await appears(join(t.workspace, "up"));
    await until(() => processesWith(word).length > 0);
    parent.kill("SIGKILL");
    await exited;
    await until(() => processesWith(word).length === 0);
    expect(existsSync(join(t.workspace, "up"))).toBe(true);
  });
});

function source(path: string): string {
  return join(import.meta.dirname, "../../src", path);
}
