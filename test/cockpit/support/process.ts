import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const MAIN = new URL("../../../packages/cli/src/main.ts", import.meta.url).pathname;

export interface ServerProcess {
  readonly url: string;
  readonly link: string;
  readonly port: number;
  /** As when the power goes. */
  kill(): Promise<void>;
}

/** `fairlead serve` as a process of its own. */
export async function startProcess(options: {
  readonly data: string;
  readonly workspace: string;
  readonly port?: number;
}): Promise<ServerProcess> {
  const { data, workspace, port = 0 } = options;
  const child: ChildProcess = spawn(
    process.execPath,
    [MAIN, "serve", "--json", "--data", data, "--port", String(port)],
    {
      cwd: workspace,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, XDG_CONFIG_HOME: `${data}-config` },
    },
  );
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(() => Promise.reject(new Error("The server ended before it listened."))),
  ])) as [string];
  const { url, sign_in } = JSON.parse(line) as { url: string; sign_in: string };
  return {
    url,
    link: sign_in,
    port: Number(new URL(url).port),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
