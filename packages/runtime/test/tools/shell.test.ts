import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { plainSandbox } from "../../src/host/plain-sandbox.ts";
import { hostProcesses } from "../../src/host/processes.ts";
import { shellArgv, shellEnv } from "../../src/host/shell-env.ts";
import { ToolFailure } from "../../src/ports/tool-failure.ts";
import { shell } from "../../src/tools/shell.ts";
import { tree } from "./support.ts";

const secrets = {
  OPENAI_API_KEY: "sk-secret",
  FAIRLEAD_TOKEN: "fl-secret",
  BASH_ENV: "/x",
  LD_PRELOAD: "/y",
};

const plain = plainSandbox({ requested_backend: "none", reason: "A test." });

function tool(env: Record<string, string | undefined> = process.env) {
  return shell({ processes: hostProcesses, sandbox: plain, argv: shellArgv(), env: shellEnv(env) });
}

/** Gone, or ended and not yet collected by its parent. */
function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return true;
  }
}

async function appeared(path: string): Promise<string> {
  for (;;) {
    if (existsSync(path) && readFileSync(path, "utf8").endsWith("\n"))
      return readFileSync(path, "utf8").trim();
    await sleep(5);
  }
}

describe("shell", () => {
  it("runs in the workspace with no input, and gives exit code and both outputs", async () => {
    using t = tree();
    const ran = await tool().run({ command: "pwd; cat; echo oops >&2; exit 3" }, t.context());
    expect(ran.result).toEqual({ exit_code: 3, stdout: `${t.workspace}\n`, stderr: "oops\n" });
    expect(ran.failed).toBe(true);
    expect(ran.text).toBe(`Exit code 3. Output:\n${t.workspace}\n\nstderr:\noops\n`);
    expect(ran.children).toEqual([{ pid: expect.any(Number), ended: "exited 3" }]);
  });

  it("says when there is no output, and which signal ended the command", async () => {
    using t = tree();
    expect((await tool().run({ command: "true" }, t.context())).text).toBe("Exit code 0. No output.");
    const killed = await tool().run({ command: "kill -KILL $$" }, t.context());
    expect(killed.result).toMatchObject({ exit_code: null, signal: "SIGKILL" });
    expect(killed.failed).toBe(true);
  });

  it("gives the command nothing of our environment but the harmless part", async () => {
    using t = tree();
    const { result } = await tool({ ...process.env, ...secrets, LC_ALL: "C" }).run(
      { command: "env" },
      t.context(),
    );
    const names = (result as { stdout: string }).stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names).toContain("PATH");
    expect(names).toContain("LC_ALL");
    for (const name of Object.keys(secrets)) expect(names).not.toContain(name);
    expect((result as { stdout: string }).stdout).not.toContain("secret");
  });

  it("keeps the beginning and the end of a long output", async () => {
    using t = tree();
    const { result } = await tool().run({ command: "echo START; seq 1 200000; echo END" }, t.context());
    const { stdout, truncated } = result as { stdout: string; truncated: boolean };
    expect(truncated).toBe(true);
    expect(stdout.length).toBeLessThan(70_000);
    expect(stdout).toMatch(/^START\n1\n2\n/);
    expect(stdout).toMatch(/… \d+ bytes left out …/);
    expect(stdout).toMatch(/200000\nEND\n$/);
  });

  it("ends the whole group at its timeout, also what ignores the polite signal, and tells what was printed", async () => {
    using t = tree();
    const command =
      "echo working; trap '' TERM; (trap '' TERM; echo $BASHPID > child; sleep 60 & wait) & wait; sleep 60";
    const ended = await tool()
      .run({ command, timeout_ms: 500 }, t.context())
      .catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(ToolFailure);
    const { kind, message, children } = ended as ToolFailure;
    expect(kind).toBe("timeout");
    expect(message).toContain("ended after 500 ms. Output:\nworking");
    expect(children[0]?.ended).toBe("killed SIGKILL");
    expect(children.length).toBeGreaterThanOrEqual(2);
    expect(children.every(({ pid }) => isGone(pid))).toBe(true);
    expect(isGone(Number(readFileSync(join(t.workspace, "child"), "utf8")))).toBe(true);
  });

  it("stops everything on cancel, and says that it was cancelled though the command exits by itself", async () => {
    using t = tree();
    const abort = new AbortController();
    const command = "trap 'exit 0' TERM; sleep 60 & echo $! > child; wait";
    const running = tool()
      .run({ command }, t.context(abort.signal))
      .catch((error: unknown) => error);
    const child = Number(await appeared(join(t.workspace, "child")));
    abort.abort();
    const ended = (await running) as ToolFailure;
    expect(ended.kind).toBe("cancelled");
    expect(ended.children[0]?.ended).toBe("exited 0");
    expect(isGone(child)).toBe(true);
  });

  it("does not wait for a background process that holds the pipe, and ends it", async () => {
    using t = tree();
    const ran = await tool().run({ command: "sleep 300 & echo $!" }, t.context());
    const child = Number((ran.result as { stdout: string }).stdout);
    expect(isGone(child)).toBe(true);
    expect(ran.children).toEqual([
      { pid: expect.any(Number), ended: "exited 0" },
      { pid: child, ended: "killed SIGTERM" },
    ]);
  });

  it.runIf(existsSync("/proc/self/environ"))("finds what left its group and its session", async () => {
    using t = tree();
    const ran = await tool().run(
      { command: "setsid sh -c 'echo $$ > daemon; exec sleep 300' & sleep 0.5" },
      t.context(),
    );
    const daemon = Number(await appeared(join(t.workspace, "daemon")));
    expect(isGone(daemon)).toBe(true);
    expect(ran.children).toContainEqual({ pid: daemon, ended: "killed SIGTERM" });
  });

  it("fails with a sentence when it cannot start", async () => {
    using t = tree();
    const broken = shell({
      processes: hostProcesses,
      sandbox: { ...plain, wrap: (command) => ({ ...command, argv: ["/no/such/wrapper"] }) },
      argv: shellArgv(),
      env: {},
    });
    await expect(broken.run({ command: "true" }, t.context())).rejects.toThrow("ENOENT");
  });

  it("runs what the sandbox makes of the command", async () => {
    using t = tree();
    const wrapped = shell({
      processes: hostProcesses,
      sandbox: {
        ...plain,
        wrap: ({ argv, ...rest }, workspace) => ({
          ...rest,
          argv: ["/bin/echo", workspace, ...argv.slice(-1)],
        }),
      },
      argv: shellArgv(),
      env: shellEnv({}),
    });
    const { result } = await wrapped.run({ command: "rm -rf /" }, t.context());
    expect(result).toMatchObject({ stdout: `${t.workspace} rm -rf /\n` });
  });

  it("stops a command that was cancelled before it began", async () => {
    using t = tree();
    const ended = await tool()
      .run({ command: "sleep 60" }, t.context(AbortSignal.abort()))
      .catch((error: unknown) => error);
    expect((ended as ToolFailure).kind).toBe("cancelled");
  });
});
